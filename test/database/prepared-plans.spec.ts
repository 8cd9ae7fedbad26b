import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Client } from 'pg';
import type supertest from 'supertest';
import { DataSource } from 'typeorm';
import { gift, startTestApp, type TestApp } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';
import { addedGift } from '../contract/gift-requests.js';

/** After five executions PostgreSQL may keep one generic plan for all values. */
const TIMES = 8;
const ROWS = 30_000;

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

let count = 0;
let fills = 0;

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
  const post = (path: string): supertest.Test =>
    service
      .http()
      .post(`/Api/${path}`)
      .auth(...service.login);
  await post(`Transactions/plans/t${count}/reverse?amount=1.00&refundId=r${count}`).expect(200);
  const batch = [giver, gift(`batch${count}`)].map((one, i) => ({
    ...one,
    Source: 'plans',
    TransactionId: `b${count}-${i}`,
  }));
  for (const gifts of [batch, batch]) await post('AddContributions').send({ Gifts: gifts }).expect(200);
}

/** Adds the rows of several years without updating the statistics of the tables. @param dayOf SQL for the day of gift `n` */
async function fill(dayOf: string): Promise<void> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query('BEGIN');
  await client.query(
    `INSERT INTO person (first_name, last_name, email, phone, first_name_folded, last_name_folded, email_folded)
     SELECT 'A', 'B', 'c', 'd', 'first' || n, 'last' || n % 100, 'giver' || $1 || n || '@example.org'
     FROM generate_series(1, ${ROWS}) n`,
    [++fills],
  );
  await client.query(
    `INSERT INTO contribution (person_id, amount, currency, given_at, day, fund_id, bundle_id, contribution_type_id,
       giver_first, giver_last, giver_email, giver_phone, created_by, source, transaction_id, request_digest,
       first_person_id, has_key)
     SELECT p.id, n, 'USD', given_at, ${dayOf}, fund_id, bundle_id, contribution_type_id, 'A', 'B', 'c', 'd', created_by,
       'filled ' || $1, n::text, '\\x00', p.id, true
     FROM (SELECT * FROM contribution WHERE reverses_id IS NULL ORDER BY id LIMIT 1) c,
       (SELECT id, (row_number() OVER ())::integer AS n FROM person ORDER BY id DESC LIMIT ${ROWS}) p`,
    [fills],
  );
  await client.query(
    `INSERT INTO idempotency_key (user_id, operation, key, request_digest, answer)
     SELECT 1, 'AddContribution', concat('filled ', $1::text, n), '\\x00', '{}' FROM generate_series(1, ${ROWS}) n`,
    [fills],
  );
  // Otherwise jobs would read all these rows while the calls are measured.
  await client.query(`
    DELETE FROM person_to_fold;
    DELETE FROM person_to_index;
    DELETE FROM gift_to_index;
    UPDATE reading_progress SET up_to = (SELECT max(id) FROM contribution);
  `);
  await client.query('COMMIT');
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  await client.end();
  // Its session reports what it has read before it disappears. That must not count as read by the calls.
  const isGone = async (): Promise<boolean> =>
    (await database.query('SELECT FROM pg_stat_activity WHERE pid = $1', [rows[0]?.pid])).length === 0;
  await until(isGone);
}

/** The rows of growing tables, and the entries of their indexes, read so far. A session reports them when it ends, at the latest. */
async function rowsRead(): Promise<Map<string, number>> {
  const rows = await database.query<{ name: string; read: number }>(
    `SELECT name, read::integer FROM (
       SELECT relname, relname AS name, seq_tup_read AS read FROM pg_stat_user_tables
       UNION ALL
       SELECT relname, indexrelname, idx_tup_read FROM pg_stat_user_indexes
     ) counted
     WHERE relname IN ('person', 'contact', 'match_key', 'contribution', 'payment', 'idempotency_key', 'notice', 'review')`,
  );
  return new Map(rows.map(({ name, read }) => [name, read]));
}

async function sessionsHaveEnded(): Promise<boolean> {
  const left = await database.query(
    `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'offertory%'`,
  );
  return left.length === 0;
}

/** The tables and indexes of which the calls of {@link callAll} read much, with plans made before the last {@link fill}. */
async function readMostly(fillBefore: () => Promise<void>): Promise<[string, number][]> {
  // One connection, so every call uses the plans of the calls before it.
  const service = await startTestApp({ DATABASE_POOL_SIZE: '1' }, { database });
  let before: ReadonlyMap<string, number>;
  try {
    await service.createUser(...service.login, ['Developer', 'APIOnly', 'APIWrite']);
    await callAll(service);
    await fillBefore();
    for (let time = 0; time < TIMES; time++) await callAll(service);
    await fill('day');
    before = await rowsRead();
    await callAll(service);
  } finally {
    await service.stop();
  }
  await until(sessionsHaveEnded, 10_000);
  const after = await rowsRead();
  expect(after.size).toBeGreaterThan(20);
  // The calls before the fill read only a few rows.
  return [...after].filter(([name, read]) => read - (before.get(name) ?? 0) > ROWS / 10);
}

/**
 * Keeps autovacuum from updating the statistics. With new ones PostgreSQL would compare the plan that it could keep with
 * the cost of plans for smaller tables, and make plans for each call until their mean cost has risen.
 */
async function keepStatistics(): Promise<void> {
  await database.query(`
    DO $$
    DECLARE name text;
    BEGIN
      FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
        EXECUTE format('ALTER TABLE %I SET (autovacuum_enabled = false)', name);
      END LOOP;
    END $$`);
}

it('the plan of every statement is kept', async () => {
  const first = await startTestApp({}, { database });
  await first.createUser(...first.login, ['Developer', 'APIOnly', 'APIWrite']);
  await callAll(first);
  await first.stop();
  await database.query('ANALYZE');
  await keepStatistics();
  // One connection, so every call uses the plans of the calls before it.
  const service = await startTestApp({ DATABASE_POOL_SIZE: '1' }, { database });
  try {
    // Twice as often: while tables grow, PostgreSQL compares the plan that it could keep with cheaper ones from before.
    for (let time = 0; time < 2 * TIMES; time++) await callAll(service);
    const used = await service.app.get(DataSource).query<{ statement: string; planned: number; kept: number }[]>(
      `SELECT left(statement, 200) AS statement, custom_plans::integer AS planned, generic_plans::integer AS kept
       FROM pg_prepared_statements`,
    );
    const often = used.filter(({ planned, kept }) => planned + kept >= 2 * TIMES);
    expect(often.length).toBeGreaterThan(15);
    expect(often.filter(({ kept }) => kept === 0)).toEqual([]);
  } finally {
    await service.stop();
  }
});

it('plans made for empty tables do not read most rows of full tables, or most entries of their indexes', async () => {
  const read = await readMostly(() => Promise.resolve());
  // Until its first ANALYZE, PostgreSQL 18 joins a gift's person by a scan of this whole index. That takes milliseconds, and
  // ends in the first minute of a new installation.
  expect(read.filter(([name]) => name !== 'person_pkey')).toEqual([]);
});

it('plans made for the gifts of earlier days do not read all gifts of a busy day', async () => {
  const earlierDays = async (): Promise<void> => {
    await fill('day - 1 - n % 1000');
    await database.query('ANALYZE');
  };
  expect(await readMostly(earlierDays)).toEqual([]);
});
