import { afterEach, describe, expect, it } from '@jest/globals';
import type supertest from 'supertest';
import { keptLog } from '../support/kept-logs.js';
import { SECURITY_HEADERS } from '../support/security-headers.js';
import { ROLES, startTestApp, type TestApp } from '../support/test-app.js';

const LIMIT = 3;
const WRONG = ['api', 'wrong password'] as const;

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function start(environment: Record<string, string> = {}): Promise<TestApp> {
  const service = await startTestApp({ LOGIN_FAILURES_PER_MINUTE: String(LIMIT), ...environment });
  closing.push(() => service.stop());
  return service;
}

/** A wrong password, forwarded as a proxy would for this caller. */
const wrongFor = (service: TestApp, forwardedFor: string): supertest.Test =>
  service.add({}, WRONG).set('X-Forwarded-For', forwardedFor);

describe('after so many wrong passwords', () => {
  it('answers 429 with a truthful Retry-After, and lets verified callers through', async () => {
    const service = await start();
    await service.add().expect(200);
    for (let i = 0; i < LIMIT; i++) await service.add({}, WRONG).expect(401);

    const refused = await service.add({}, ['api', 'wrong again']).expect(429);
    expect(refused.body).toMatchObject({ code: 'too_many_requests' });
    expect(refused.headers).toMatchObject(SECURITY_HEADERS);
    const seconds = Number(refused.headers['retry-after']);
    expect(seconds).toBeGreaterThan(50);
    expect(seconds).toBeLessThanOrEqual(60);

    // Nobody can lock a processor out.
    await service.add().expect(200);
    // Another name from the same address is another count.
    await service.add({}, ['other', 'wrong password']).expect(401);
  });

  it('checks no more guesses than that when they come all at once', async () => {
    const service = await start();
    const guesses = Array.from({ length: 20 }, (_, i) => service.add({}, ['api', `wrong password ${i}`]));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(LIMIT);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20 - LIMIT);
  });

  it('writes nothing for those that are refused', async () => {
    const service = await start();
    for (let i = 0; i < LIMIT; i++) await service.add({}, WRONG).expect(401);
    await service.add({}, WRONG).expect(429);
    const count = (): Promise<unknown[]> => service.database.query('SELECT points FROM login_failure');
    expect(await count()).toEqual([{ points: LIMIT + 1 }]);
    const refused = await service.add({}, WRONG).expect(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(50);
    expect(await count()).toEqual([{ points: LIMIT + 1 }]);
  });

  it('keeps the count in the database, under a digest that names nobody', async () => {
    const service = await start();
    await service.add({}, WRONG).expect(401);
    const rows = await service.database.query<{ key: string }>('SELECT key, points FROM login_failure');
    expect(rows).toMatchObject([{ key: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/), points: 1 }]);
  });
});

/** What was logged of logins while this went on. */
async function warnings(call: () => Promise<unknown>): Promise<string[]> {
  const before = keptLog().length;
  await call();
  const entries = keptLog()
    .slice(before)
    .map((line) => JSON.parse(line) as { context?: string; message: string });
  return entries.filter(({ context }) => context === 'Login' || context === 'Http').map(({ message }) => message);
}

describe('the log', () => {
  it('tells once a minute for which user and from where passwords are tried', async () => {
    const service = await start();
    const told = await warnings(async () => {
      for (let i = 0; i < LIMIT + 4; i++) await service.add({}, WRONG);
    });
    expect(told).toEqual(['Too many failed logins as user api from 127.0.0.1: more are refused for up to a minute']);
  });

  it('does not log an unknown name or an invalid address, which may be any text', async () => {
    const service = await start({ TRUST_PROXY: '1' });
    const told = await warnings(async () => {
      for (let i = 0; i < LIMIT + 1; i++)
        await service.add({}, ['my own password', 'wrong password']).set('X-Forwarded-For', 'my\u{85}address');
    });
    expect(told).toEqual([
      'Too many failed logins as an unknown user from an invalid address: more are refused for up to a minute',
    ]);
  });

  it('tells of a flood of calls that are turned away once', async () => {
    const service = await start();
    const statuses: number[] = [];
    const told = await warnings(async () => {
      const calls = Array.from({ length: 200 }, (_, i) => service.add({}, [`nobody ${i}`, 'wrong password']));
      for (const { status } of await Promise.all(calls)) statuses.push(status);
    });
    expect(statuses.filter((status) => status === 503).length).toBeGreaterThan(1);
    // A busy machine may fail some calls for another reason, each of which is logged by itself.
    expect(told.filter((message) => message.includes('failed with service_busy'))).toHaveLength(1);
  });
});

describe('the address that is counted', () => {
  it('is the connection’s, whatever X-Forwarded-For says, where no proxy is trusted', async () => {
    const service = await start();
    for (let i = 0; i < LIMIT; i++) await wrongFor(service, `203.0.113.${i}`).expect(401);
    await wrongFor(service, '203.0.113.99').expect(429);
    await service.add({}, WRONG).set('Forwarded', 'for=203.0.113.98').set('X-Real-IP', '203.0.113.97').expect(429);
  });

  it.each(['1', 'loopback'])('is the one that the proxy in front has added, with TRUST_PROXY=%s', async (trusted) => {
    const service = await start({ TRUST_PROXY: trusted });
    // What stands before it came from the caller.
    for (let i = 0; i < LIMIT; i++) await wrongFor(service, `192.0.2.${i}, 203.0.113.7`).expect(401);
    await wrongFor(service, '192.0.2.99, 203.0.113.7').expect(429);
    await wrongFor(service, '203.0.113.7').expect(429);
    // Others behind the same proxy have their own, and cannot use up somebody else's by naming it.
    await wrongFor(service, '203.0.113.7, 203.0.113.8').expect(401);
    await wrongFor(service, '203.0.113.9').expect(401);
  });

  it('is none that a caller can name where only another network is trusted', async () => {
    const service = await start({ TRUST_PROXY: '10.0.0.0/8' });
    for (let i = 0; i < LIMIT; i++) await wrongFor(service, `203.0.113.${i}`).expect(401);
    await wrongFor(service, '203.0.113.99, 10.0.0.1').expect(429);
  });
});

it('lets in a processor that begins with many calls at once', async () => {
  const service = await start();
  const login = await service.createUser('busy', 'right from the start', ROLES);
  const right = await Promise.all(Array.from({ length: 30 }, () => service.add({}, login)));
  expect(new Set(right.map(({ status }) => status))).toEqual(new Set([200]));
});
