import { afterAll, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { gift, startTestApp, type TestApp } from '../support/test-app.js';
import { createTestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';
import { addedGift } from './gift-requests.js';

/** After five executions PostgreSQL may keep one generic plan for all values. */
const TIMES = 8;
const ROWS = 30_000;

const database = await createTestDatabase();
afterAll(() => database.drop());

let count = 0;

/** Makes all usual calls of a processor, with a new giver. */
async function callAll(service: TestApp): Promise<void> {
  const giver = gift(`plan${++count}`);
  const { PeopleId } = await addedGift(service, giver);
  await addedGift(service, { ...giver, Source: 'plans', TransactionId: `t${count}` });
  await addedGift(service, { ...giver, Email: `another.${count}@example.org` });
  await addedGift(service, { ...giver, Email: `another.${count}@example.org`, First: 'Somebody similar' });
  await addedGift(service, { ...giver, PeopleId });
  const keyed = (): Promise<unknown> => service.add(giver).set('Idempotency-Key', `key-${count}`).expect(200);
  await keyed();
  await keyed();
  const { ContributionId } = await addedGift(service, giver);
  await service.reverse(`${ContributionId}/plans`).expect(200);
}

/** Adds the rows of several years without updating the statistics of the tables. */
async function fill(): Promise<void> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(
    `INSERT INTO person (first_name, last_name, email, phone, first_name_folded, last_name_folded, email_folded)
     SELECT 'A', 'B', 'c', 'd', 'first' || n, 'last' || n % 100, 'giver' || n || '@example.org'
     FROM generate_series(1, ${ROWS}) n`,
  );
  await client.query(
    `INSERT INTO contribution (person_id, amount, currency, given_at, day, fund_id, bundle_id, contribution_type_id,
       giver_first, giver_last, giver_email, giver_phone, created_by, source, transaction_id, request_digest,
       first_person_id, has_key)
     SELECT person_id, n, 'USD', given_at, day, fund_id, bundle_id, contribution_type_id, 'A', 'B', 'c', 'd', created_by,
       'filled', n::text, '\\x00', person_id, true
     FROM (SELECT * FROM contribution WHERE reverses_id IS NULL ORDER BY id LIMIT 1) c, generate_series(1, ${ROWS}) n`,
  );
  await client.query(
    `INSERT INTO idempotency_key (user_id, operation, key, request_digest, answer)
     SELECT 1, 'AddContribution', 'filled ' || n, '\\x00', '{}' FROM generate_series(1, ${ROWS}) n`,
  );
  await client.query('SELECT pg_stat_force_next_flush()');
  await client.end();
}

/** The rows of growing tables read by sequential scans so far. A session reports them when it ends, at the latest. */
async function rowsScanned(): Promise<Map<string, number>> {
  const rows = await database.query<{ relname: string; read: number }>(
    `SELECT relname, seq_tup_read::integer AS read FROM pg_stat_user_tables
     WHERE relname IN ('person', 'contact', 'match_key', 'contribution', 'idempotency_key', 'notice', 'review')`,
  );
  return new Map(rows.map(({ relname, read }) => [relname, read]));
}

async function sessionsHaveEnded(): Promise<boolean> {
  const left = await database.query(
    `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'offertory%'`,
  );
  return left.length === 0;
}

it('plans made for empty tables do not scan full tables completely', async () => {
  // One connection, so every call uses the plans of the calls before it.
  const service = await startTestApp({ DATABASE_POOL_SIZE: '1' }, { database });
  let before: ReadonlyMap<string, number>;
  try {
    await service.createUser(...service.login, ['Developer', 'APIOnly', 'APIWrite']);
    for (let time = 0; time < TIMES; time++) await callAll(service);
    await fill();
    before = await rowsScanned();
    await callAll(service);
  } finally {
    await service.stop();
  }
  await until(sessionsHaveEnded, 10_000);
  const after = await rowsScanned();
  expect(after.size).toBe(7);
  // The calls before the fill read only a few rows.
  const wholly = [...after].filter(([table, read]) => read - (before.get(table) ?? 0) > ROWS / 10);
  expect(wholly).toEqual([]);
});
