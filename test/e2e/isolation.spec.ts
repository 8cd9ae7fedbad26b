import { afterEach, describe, expect, it } from '@jest/globals';
import { holdLock } from '../support/held-lock.js';
import { keptLog } from '../support/kept-logs.js';
import { countLockWaits } from '../support/lock-waits.js';
import { gift, type Login, ROLES, startTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function start(environment: Record<string, string> = {}): Promise<TestApp> {
  const service = await startTestApp(environment);
  closing.push(() => service.stop());
  return service;
}

/** Locks out every gift of the user until it is released, by its open bundle. */
async function holdBundleOf(service: TestApp, [username]: Login): Promise<() => Promise<void>> {
  const lock = await holdLock(
    service.database.url,
    'SELECT FROM bundle WHERE user_id = (SELECT id FROM app_user WHERE username = $1) FOR UPDATE',
    [username],
  );
  return () => lock.release();
}

const statusesOf = (calls: readonly PromiseLike<{ status: number }>[]): Promise<number[]> =>
  Promise.all(calls.map(async (call) => (await call).status));

describe('a call without verified credentials', () => {
  it('gets its answer while gifts use all connections', async () => {
    const service = await start({ DATABASE_POOL_SIZE: '2' });
    const other = await service.createUser('other', 'correct horse battery', ROLES);
    for (const login of [service.login, other]) await service.add({}, login).expect(200);
    const lock = await holdLock(service.database.url, 'LOCK TABLE contribution', []);
    const gifts = statusesOf([service.add(), service.add({}, other)]);
    try {
      await until(async () => (await countLockWaits(service.database)) === 2);
      await service.add({}, ['api', 'wrong password']).expect(401);
      await service.http().get('/health/ready').expect(200);
      expect(await countLockWaits(service.database)).toBe(2);
    } finally {
      await lock.release();
    }
    expect(await gifts).toEqual([200, 200]);
  });
});

describe('calls of one user', () => {
  it('do not delay another user while they wait for a lock', async () => {
    const service = await start();
    const other = await service.createUser('other', 'correct horse battery', ROLES);
    for (const login of [service.login, other]) await service.add({}, login).expect(200);
    const release = await holdBundleOf(service, service.login);
    const calls = statusesOf(Array.from({ length: 40 }, () => service.add()));
    try {
      await until(async () => (await countLockWaits(service.database)) === 5);
      const begin = performance.now();
      // Gifts with the same phone would wait for each other's matching.
      for (let i = 0; i < 5; i++) await service.add({ Phone: '901-555-0202' }, other).expect(200);
      expect(performance.now() - begin).toBeLessThan(2_000);
    } finally {
      await release();
    }
    expect(new Set(await calls)).toEqual(new Set([200]));
  });

  it('all succeed when a hundred arrive at once', async () => {
    const service = await start();
    await service.add().expect(200);
    const answers = await Promise.all(Array.from({ length: 100 }, async () => service.add()));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(({ body }) => body as unknown)).toEqual([]);
  });

  it('are refused with Retry-After when too many wait, and the limit is logged and counted', async () => {
    // 50 calls may wait. With more, a slow machine would refuse the first for their wait before the last arrive.
    const service = await start({ DATABASE_POOL_SIZE: '2' });
    await service.add().expect(200);
    const release = await holdBundleOf(service, service.login);
    const answers = Promise.all(Array.from({ length: 100 }, async () => service.add()));
    await answers.finally(release);
    const refused = (await answers).filter(({ status }) => status !== 200);
    const codes = new Set(refused.map(({ status, body }) => `${status} ${(body as { code: string }).code}`));
    expect(codes).toContain('429 too_many_requests');
    expect(codes).toContain('503 database_unavailable');
    expect(new Set(refused.map(({ headers }) => headers['retry-after']))).not.toContain(undefined);
    const lines = keptLog().filter((line) => line.includes('A limit refused calls'));
    expect(
      lines.filter((line) => line.includes('Too many calls of one user wait for their turn (user api)')),
    ).toHaveLength(1);
  });
});

describe('reading calls', () => {
  it('leave connections for gifts while they wait', async () => {
    const service = await start();
    const finance = await Promise.all(
      Array.from({ length: 4 }, (_, i) => service.createUser(`finance${i}`, 'correct horse battery', ['Finance'])),
    );
    await service.add(gift('known')).expect(200);
    for (const login of finance) await service.get('People/1', login).expect(200);
    // Each read waits for a second, and then goes without its entry in the audit trail.
    const lock = await holdLock(service.database.url, 'LOCK TABLE audit_entry', []);
    const reads = statusesOf(finance.flatMap((login) => [1, 2, 3].map(() => service.get('People/1', login))));
    try {
      await until(async () => (await countLockWaits(service.database)) === 5);
      const begin = performance.now();
      for (let i = 0; i < 5; i++) await service.add(gift('known')).expect(200);
      expect(performance.now() - begin).toBeLessThan(2_000);
    } finally {
      await lock.release();
    }
    expect(new Set(await reads)).toEqual(new Set([200]));
  });
});

describe('what needs attention', () => {
  it('is shown to Finance and not to callers of readiness or to processors', async () => {
    const service = await start();
    const finance = await service.createUser('treasurer', 'correct horse battery', ['Finance']);
    expect((await service.http().get('/health/ready').expect(200)).body).toEqual({ status: 'ok' });
    expect((await service.get('Warnings', finance).expect(200)).body).toEqual({
      warnings: [expect.stringContaining('FINANCE_EMAILS')],
    });
    await service.get('Warnings').expect(403);
  });
});
