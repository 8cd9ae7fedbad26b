import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { isDatabaseUnavailable, Transactions, NO_TIME_LIMIT } from '../../src/database/index.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

let service: TestApp;
let transactions: Transactions;

beforeAll(async () => {
  service = await startTestApp({ DATABASE_POOL_SIZE: '1' });
  transactions = service.app.get(Transactions);
});
afterAll(() => service.stop());

async function openTransactions(): Promise<unknown[]> {
  return service.database.query(
    `SELECT state, query FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'offertory' AND state <> 'idle'`,
  );
}

it('a transaction may take 5.5 s in total, even if no single statement is too long', async () => {
  const begin = performance.now();
  const error: unknown = await transactions
    .run(async (tx) => {
      await tx.query('SELECT pg_sleep(3)');
      await tx.query('SELECT pg_sleep(4)');
    })
    .then(
      () => undefined,
      (reason: unknown) => reason,
    );
  const milliseconds = performance.now() - begin;
  expect(isDatabaseUnavailable(error)).toBe(true);
  expect(milliseconds).toBeGreaterThan(5_400);
  expect(milliseconds).toBeLessThan(6_500);
  // Its connection is not used again; another one takes over.
  await expect(transactions.query('SELECT 1 AS one')).resolves.toEqual([{ one: 1 }]);
  await until(async () => (await openTransactions()).length === 0);
});

it('a transaction without a waiting caller has no time limit', async () => {
  await transactions.run(async (tx) => {
    await tx.query('SELECT pg_sleep(3)');
    await tx.query('SELECT pg_sleep(3)');
  }, NO_TIME_LIMIT);
});

it('calls that wait for one connection, and then for a lock, all get their 503 within 7 s', async () => {
  const { body } = (await service.add().expect(200)) as { body: { PeopleId: number } };
  const other = new Client({ connectionString: service.database.url });
  await other.connect();
  await other.query('BEGIN');
  await other.query('SELECT 1 FROM person WHERE id = $1 FOR UPDATE', [body.PeopleId]);

  const timed = async (): Promise<readonly [number, number]> => {
    const begin = performance.now();
    const { status } = await service.add({ PeopleId: body.PeopleId });
    return [status, performance.now() - begin];
  };
  const answers = await Promise.all(Array.from({ length: 6 }, timed));
  expect(answers.map(([status]) => status)).toEqual([503, 503, 503, 503, 503, 503]);
  expect(Math.max(...answers.map(([, milliseconds]) => milliseconds))).toBeLessThan(7_000);

  await other.query('COMMIT');
  await other.end();
  await until(async () => (await service.add({ PeopleId: body.PeopleId })).status === 200, 5_000);
  expect(await openTransactions()).toEqual([]);
});

it('a gift without a key that waits too long for its bundle is not recorded afterwards', async () => {
  const giver = { First: 'Eve', Last: 'Zed', Email: 'eve@example.org' };
  // Twice, so that its statements are prepared and COMMIT is sent together with the last one.
  for (let i = 0; i < 2; i++) await service.add(giver).expect(200);
  const count = (): Promise<unknown[]> => service.database.query('SELECT id FROM contribution');
  const before = await count();
  const other = new Client({ connectionString: service.database.url });
  await other.connect();
  await other.query('BEGIN');
  await other.query('SELECT 1 FROM bundle FOR UPDATE');
  await service.add(giver).expect(503);
  await other.query('COMMIT');
  await other.end();
  await until(async () => (await openTransactions()).length === 0);
  expect(await count()).toEqual(before);
});
