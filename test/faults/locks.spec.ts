import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, Client } from '../support/client.js';
import { closeBundles } from '../support/close-bundles.js';
import { type HeldLock, holdLock } from '../support/held-lock.js';
import { assertLedgerInvariants } from '../support/ledger-invariants.js';
import { createApiUser, type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { printFigures, Tally } from '../support/tally.js';
import { gift, type Login } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';
import { countLockWaits } from '../support/lock-waits.js';

const LOGIN: Login = ['api', 'somebody else is at it'];
/** The longest time for an answer that callers are promised, in milliseconds. */
const ANSWER_LIMIT = 7_000;
/** How long the first of two locks is held for which a call waits in turn, in milliseconds. */
const FIRST_LOCK = 2_500;

let database: TestDatabase;
let service: ServiceProcess;
let processor: Client;
beforeAll(async () => {
  database = await createTestDatabase();
  await createApiUser({ DATABASE_URL: database.url }, LOGIN[1]);
  service = await startServiceProcess({ DATABASE_URL: database.url, DATABASE_POOL_SIZE: '5' });
  processor = new Client(service.url, ...LOGIN);
});
afterAll(async () => {
  expect(await service.end('SIGTERM')).toBe(0);
  expect(service.output()).not.toContain('internal_error');
  await database.drop();
});
afterEach(() => assertLedgerInvariants(database));

/** Adds a gift. @returns its ContributionId and PeopleId. */
async function give(unique: string): Promise<{ id: number; person: number }> {
  const { body } = await processor.add(gift(unique));
  return { id: Number(body['ContributionId']), person: Number(body['PeopleId']) };
}

const lockRow = (table: 'contribution' | 'bundle' | 'person', id: number): Promise<HeldLock> =>
  holdLock(database.url, `SELECT FROM ${table} WHERE id = $1 FOR UPDATE`, [id]);

async function lockBundleOf(contribution: number): Promise<HeldLock> {
  const [row] = await database.query<{ bundle_id: number }>('SELECT bundle_id FROM contribution WHERE id = $1', [
    contribution,
  ]);
  return lockRow('bundle', row?.bundle_id ?? 0);
}

/** Waits until this number of the service's sessions wait for a lock. */
async function waiting(sessions: number): Promise<void> {
  await until(async () => (await countLockWaits(database)) === sessions);
}

describe('a lock of another session', () => {
  /** Expects that the call fails in time and stores nothing while the lock is held, and succeeds afterwards. */
  async function expectUnavailable(
    scenario: string,
    lock: HeldLock,
    [meanwhile, afterwards]: readonly [meanwhile: () => Promise<Answer>, afterwards: () => Promise<Answer>],
  ): Promise<void> {
    const tally = new Tally();
    const [{ count } = { count: '' }] = await database.query<{ count: string }>('SELECT count(*) FROM contribution');
    try {
      const answer = tally.note(await meanwhile());
      expect(answer).toMatchObject({ status: 503, body: { code: 'database_unavailable' } });
      expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      expect(answer.milliseconds).toBeLessThan(ANSWER_LIMIT);
      expect(await database.query('SELECT count(*) FROM contribution')).toEqual([{ count }]);
    } finally {
      await lock.release();
    }
    expect(tally.note(await afterwards())).toMatchObject({ status: 200 });
    printFigures(`${scenario} locked by another session`, tally);
  }

  it('on a gift: its reversal is refused in time', async () => {
    const { id } = await give('gift');
    const call = (): Promise<Answer> => processor.reverse(id, 'test', 'locked gift');
    await expectUnavailable("a gift's row", await lockRow('contribution', id), [call, call]);
  });

  it('on a person: a gift of that person is refused in time', async () => {
    const { person } = await give('person');
    const call = (): Promise<Answer> => processor.add(gift('person'), 'locked person');
    await expectUnavailable("a person's row", await lockRow('person', person), [call, call]);
  });

  it('on a bundle: a gift for it is refused in time', async () => {
    const { id } = await give('bundle');
    const call = (): Promise<Answer> => processor.add(gift('bundle'), 'locked bundle');
    await expectUnavailable('a bundle', await lockBundleOf(id), [call, call]);
  });

  it('on a person and then a bundle: the waits of one call do not add up', async () => {
    const { id, person } = await give('both');
    const [first, second] = [await lockRow('person', person), await lockBundleOf(id)];
    const call = processor.add(gift('both'), 'locked both');
    await waiting(1);
    await sleep(FIRST_LOCK);
    await first.release();
    await expectUnavailable("a person's row, then a bundle", second, [
      () => call,
      () => processor.add(gift('both'), 'locked both'),
    ]);
  });

  it('on an idempotency key: a twin of a running call gets 409 in time', async () => {
    const { id, person } = await give('twin');
    const [first, second] = [await lockRow('person', person), await lockBundleOf(id)];
    const tally = new Tally();
    const call = (): Promise<Answer> => processor.add(gift('twin', { Source: 'twin' }), 'twins');
    const original = call();
    await waiting(1);
    const twin = call();
    await waiting(2);
    // The original waits for two locks in turn, longer than a twin may.
    await sleep(FIRST_LOCK);
    await first.release();
    const answer = tally.note(await twin);
    await second.release();
    expect(answer).toMatchObject({ status: 409, body: { code: 'request_in_progress' } });
    expect(answer.milliseconds).toBeLessThan(ANSWER_LIMIT);
    expect(tally.note(await original)).toMatchObject({ status: 200 });
    const again = tally.note(await call());
    expect([again.status, again.body]).toEqual([200, (await original).body]);
    expect(await database.query(`SELECT FROM contribution WHERE source = 'twin'`)).toHaveLength(1);
    printFigures('a twin of a call under way', tally);
  });
});

describe('a bundle that is closed while gifts arrive', () => {
  it('does not change after it is closed, and no gift is refused', async () => {
    const tally = new Tally();
    const adding = Promise.all(
      Array.from({ length: 20 }, async (_, client) => {
        for (let i = 0; i < 10; i++) tally.note(await processor.add(gift(`flying${client}`, { Source: 'flying' })));
      }),
    );
    const before = await closeBundles(database);
    for (let answered = 20; answered < 200; answered += 40) {
      await until(() => tally.calls >= answered);
      const closed = await closeBundles(database);
      // Every close finds gifts in the bundle that was opened after the previous close.
      expect(closed.at(-1)?.count).toBeGreaterThan(0);
    }
    const closed = await closeBundles(database);
    await adding;
    printFigures(`${closed.length - before.length} bundles closed while 200 gifts arrive`, tally);
    expect([...tally.seen]).toEqual([['200', 200]]);
    expect(await database.query(`SELECT FROM contribution WHERE source = 'flying'`)).toHaveLength(200);
    await assertLedgerInvariants(database, closed);
  });
});

describe('200 calls at once on five connections', () => {
  it('are all answered, and leave no transaction open', async () => {
    const known = await Promise.all(Array.from({ length: 50 }, (_, i) => give(`known${i}`)));
    const tally = new Tally();
    await Promise.all(
      known.flatMap(({ id }, i) => [
        processor.add(gift(`new${i}`)).then((answer) => tally.note(answer)),
        processor.add(gift(`known${i}`)).then((answer) => tally.note(answer)),
        processor.reverse(id).then((answer) => tally.note(answer)),
        processor.read(id).then((answer) => tally.note(answer)),
      ]),
    );
    printFigures('200 mixed calls at once on 5 connections', tally);
    expect(tally.count(200) + tally.count(503) + tally.count(429)).toBe(200);
    // 125 of a user's calls may wait on 5 connections. The 50 that read have a queue of their own.
    expect(tally.count(429)).toBeLessThanOrEqual(25);
    expect(tally.retryAfterMissing).toBe(0);
    expect(tally.slowest).toBeLessThan(ANSWER_LIMIT);
    // A job may be in a transaction for a short time. The server would end an abandoned one only after ten seconds.
    await until(async () => {
      const open = await database.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
      );
      return open.length === 0;
    }, 5_000);
  });
});
