import { afterEach, describe, expect, it } from '@jest/globals';
import { UserAccounts } from '../../src/auth/index.js';
import { VerifiedCredentials } from '../../src/auth/passwords/verified-credentials.js';
import { holdLock } from '../support/held-lock.js';
import { countLockWaits } from '../support/lock-waits.js';
import { ROLES, startTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function start(options: Parameters<typeof startTestApp>[1] = {}): Promise<TestApp> {
  const service = await startTestApp({ TRUST_PROXY: '1' }, options);
  closing.push(() => service.stop());
  return service;
}

interface Answer {
  readonly status: number;
  readonly milliseconds: number;
}

/** Far longer than the limits, also on a busy machine, and far shorter than one write after the other would take. */
const SECONDS_MS = 20_000;

/** Sends wrong passwords at the same time, each for a name of its own from a network of its own. */
function strangers(service: TestApp, count: number): Promise<Answer[]> {
  const begin = performance.now();
  return Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const address = `198.51.${i >> 8}.${i & 255}`;
      const { status } = await service.add({}, [`name ${i}`, 'a guess']).set('X-Forwarded-For', address);
      return { status, milliseconds: performance.now() - begin };
    }),
  );
}

const statusesOf = (answers: readonly Answer[]): Set<number> => new Set(answers.map(({ status }) => status));

describe('while the database does not answer logins', () => {
  it('strangers whose accounts are to be read are refused within seconds', async () => {
    const service = await start();
    const lock = await holdLock(service.database.url, 'LOCK TABLE app_user IN ACCESS EXCLUSIVE MODE', []);
    const answers = await strangers(service, 400).finally(() => lock.release());
    expect(statusesOf(answers)).toEqual(new Set([503]));
    expect(Math.max(...answers.map(({ milliseconds }) => milliseconds))).toBeLessThan(SECONDS_MS);
    await service.add().expect(200);
  });

  it('strangers whose failures are to be counted are refused within seconds', async () => {
    const service = await start();
    const lock = await holdLock(service.database.url, 'LOCK TABLE login_failure IN ACCESS EXCLUSIVE MODE', []);
    const answers = await strangers(service, 300).finally(() => lock.release());
    expect(statusesOf(answers)).toEqual(new Set([503]));
    expect(Math.max(...answers.map(({ milliseconds }) => milliseconds))).toBeLessThan(SECONDS_MS);
  });

  it('a user from a known network does not wait for the counts of strangers', async () => {
    const first = await start();
    const user = await first.createUser('regular', 'correct horse battery', ROLES);
    const home = '203.0.113.7';
    await first.add({}, user).set('X-Forwarded-For', home).expect(200);
    await until(async () => (await first.database.query('SELECT FROM known_network')).length > 0);
    const service = await start({ database: first.database });
    await strangers(service, 1);
    const lock = await holdLock(service.database.url, 'SELECT FROM login_failure WHERE points > 0 FOR UPDATE', []);
    try {
      const guesses = strangers(service, 1);
      await until(async () => (await countLockWaits(service.database)) === 1);
      const begin = performance.now();
      await service.add({}, user).set('X-Forwarded-For', home).expect(200);
      expect(performance.now() - begin).toBeLessThan(1_500);
      expect(statusesOf(await guesses)).toEqual(new Set([503]));
    } finally {
      await lock.release();
    }
  });
});

describe('credentials that were verified and are no longer valid', () => {
  it('are forgotten at the next call, so that it waits with those of strangers', async () => {
    const service = await start();
    const username = 'changing';
    const old = await service.createUser(username, 'correct horse battery', ROLES);
    const verified = service.app.get(VerifiedCredentials, { strict: false });
    const isKnown = (password: string): boolean => verified.isVerifiedHere(verified.proof({ username, password }));
    await service.add({}, old).expect(200);
    expect(isKnown(old[1])).toBe(true);
    await service.app.get(UserAccounts).setPassword({ username, password: 'another long password' });
    await service.add({}, old).expect(401);
    expect(isKnown(old[1])).toBe(false);

    const next = [username, 'another long password'] as const;
    await service.add({}, next).expect(200);
    await service.app.get(UserAccounts).setActive({ username, active: false });
    for (let i = 0; i < 2; i++) {
      await service.add({}, next).expect(401);
      expect(isKnown(next[1])).toBe(false);
    }
  });
});
