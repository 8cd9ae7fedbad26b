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

/** A wrong password with the X-Forwarded-For header that a proxy would send for this caller. */
const wrongFor = (service: TestApp, forwardedFor: string): supertest.Test =>
  service.add({}, WRONG).set('X-Forwarded-For', forwardedFor);

describe('after too many wrong passwords, the service', () => {
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

    // A verified caller cannot be locked out.
    await service.add().expect(200);
    // Another username from the same address is counted separately.
    await service.add({}, ['other', 'wrong password']).expect(401);
  });

  it('checks no more guesses than the limit when they arrive all at once', async () => {
    const service = await start();
    const guesses = Array.from({ length: 20 }, (_, i) => service.add({}, ['api', `wrong password ${i}`]));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(LIMIT);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20 - LIMIT);
  });

  it('writes nothing to the database for a refused call', async () => {
    const service = await start();
    for (let i = 0; i < LIMIT; i++) await service.add({}, WRONG).expect(401);
    await service.add({}, WRONG).expect(429);
    const count = (): Promise<unknown[]> => service.database.query('SELECT points FROM login_failure');
    expect(await count()).toEqual([{ points: LIMIT + 1 }]);
    const refused = await service.add({}, WRONG).expect(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(50);
    expect(await count()).toEqual([{ points: LIMIT + 1 }]);
  });

  it('keeps the count in the database under a digest that reveals no name', async () => {
    const service = await start();
    await service.add({}, WRONG).expect(401);
    const rows = await service.database.query<{ key: string }>('SELECT key, points FROM login_failure');
    expect(rows).toMatchObject([{ key: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/), points: 1 }]);
  });
});

/** What `call` adds to the log about logins and failed requests. */
async function warnings(call: () => Promise<unknown>): Promise<string[]> {
  const before = keptLog().length;
  await call();
  const entries = keptLog()
    .slice(before)
    .map((line) => JSON.parse(line) as { context?: string; message: string });
  return entries.filter(({ context }) => context === 'Login' || context === 'Http').map(({ message }) => message);
}

describe('the log', () => {
  it('names the user and the address of failed logins once a minute', async () => {
    const service = await start();
    const logged = await warnings(async () => {
      for (let i = 0; i < LIMIT + 4; i++) await service.add({}, WRONG);
    });
    expect(logged).toEqual(['Too many failed logins as user api from 127.0.0.1: more are refused for up to a minute']);
  });

  it('does not log an unknown name or an invalid address, which may be any text', async () => {
    const service = await start({ TRUST_PROXY: '1' });
    const logged = await warnings(async () => {
      for (let i = 0; i < LIMIT + 1; i++)
        await service.add({}, ['my own password', 'wrong password']).set('X-Forwarded-For', 'my\u{85}address');
    });
    expect(logged).toEqual([
      'Too many failed logins as an unknown user from an invalid address: more are refused for up to a minute',
    ]);
  });

  it('has one entry for a flood of calls that are answered with 503', async () => {
    const service = await start();
    const statuses: number[] = [];
    const logged = await warnings(async () => {
      const calls = Array.from({ length: 200 }, (_, i) => service.add({}, [`nobody ${i}`, 'wrong password']));
      for (const { status } of await Promise.all(calls)) statuses.push(status);
    });
    expect(statuses.filter((status) => status === 503).length).toBeGreaterThan(1);
    // On a busy machine some calls may fail for another reason, which is logged for each.
    expect(logged.filter((message) => message.includes('failed with service_busy'))).toHaveLength(1);
  });
});

describe('the address that is counted', () => {
  it('is the connection’s if no proxy is trusted, whatever X-Forwarded-For says', async () => {
    const service = await start();
    for (let i = 0; i < LIMIT; i++) await wrongFor(service, `203.0.113.${i}`).expect(401);
    await wrongFor(service, '203.0.113.99').expect(429);
    await service.add({}, WRONG).set('Forwarded', 'for=203.0.113.98').set('X-Real-IP', '203.0.113.97').expect(429);
  });

  it.each(['1', 'loopback'])('is the one that the trusted proxy adds, with TRUST_PROXY=%s', async (trusted) => {
    const service = await start({ TRUST_PROXY: trusted });
    // The addresses before it come from the caller.
    for (let i = 0; i < LIMIT; i++) await wrongFor(service, `192.0.2.${i}, 203.0.113.7`).expect(401);
    await wrongFor(service, '192.0.2.99, 203.0.113.7').expect(429);
    await wrongFor(service, '203.0.113.7').expect(429);
    // Other callers behind the same proxy have their own count and cannot use up another caller's by naming it.
    await wrongFor(service, '203.0.113.7, 203.0.113.8').expect(401);
    await wrongFor(service, '203.0.113.9').expect(401);
  });

  it('cannot be chosen by the caller if only another network is trusted', async () => {
    const service = await start({ TRUST_PROXY: '10.0.0.0/8' });
    for (let i = 0; i < LIMIT; i++) await wrongFor(service, `203.0.113.${i}`).expect(401);
    await wrongFor(service, '203.0.113.99, 10.0.0.1').expect(429);
  });
});

it('a processor that starts with many calls at once is let in', async () => {
  const service = await start();
  const login = await service.createUser('busy', 'right from the start', ROLES);
  const right = await Promise.all(Array.from({ length: 30 }, () => service.add({}, login)));
  expect(new Set(right.map(({ status }) => status))).toEqual(new Set([200]));
});
