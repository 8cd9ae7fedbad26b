import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The tables that gifts need and that grow with them. */
export const LARGE_TABLES = [
  ...['person', 'contact', 'match_key', 'contribution', 'payment', 'idempotency_key', 'audit_entry', 'review'],
  ...['person_term', 'gift_term'],
];

/** How many rows of each table were read or written while gifts had to wait for it. */
export type RowsWhileLocked = ReadonlyMap<string, number>;

/** Fills the large tables of the schema of migration 46 with a thousand rows each. */
export async function fillLargeTables(runner: QueryRunner): Promise<void> {
  await runner.query(FILL);
}

const FILL = `
  INSERT INTO app_user (username, password_hash) VALUES ('api', 'x');
  INSERT INTO bundle (bundle_type_id, user_id, day) SELECT 4, id, current_date FROM app_user;
  INSERT INTO person (first_name, last_name, email, phone, first_name_folded, last_name_folded, email_folded, phone_folded)
  SELECT 'Ann', 'Lee' || n, n || '@example.org', 'n/a', 'ann', 'lee' || n, n || '@example.org', NULL
  FROM generate_series(1, 1000) AS n;
  INSERT INTO contribution (person_id, amount, currency, given_at, day, fund_id, bundle_id, contribution_type_id, source,
    giver_first, giver_last, giver_email, giver_phone, created_by)
  SELECT n, 10, 'USD', now(), day, 1, bundle.id, 1, 'test', 'Ann', 'Lee', 'a@example.org', 'n/a', user_id
  FROM bundle, generate_series(1, 1000) AS n;
  INSERT INTO idempotency_key (user_id, operation, key, request_digest)
  SELECT id, 'add', n, '' FROM app_user, generate_series(1, 1000) AS n;
  INSERT INTO audit_entry (actor, via, action, subject) SELECT 'api', 'api', 'bundle.close', 'bundle ' || n FROM generate_series(1, 1000) AS n;
  INSERT INTO review (contribution_id, reasons) SELECT id, ARRAY['deceased'] FROM contribution;
  ANALYZE`;

/** Modes for which an INSERT of a gift has to wait. */
const MODES = `('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')`;

/** The rows that this transaction has read and written so far, by table. A row that an index build reads counts, too. */
const ROWS_OF_TRANSACTION = `
  SELECT relname AS "table", (seq_tup_read + coalesce(idx_tup_fetch, 0) + n_tup_ins + n_tup_upd + n_tup_del)::integer AS rows
  FROM pg_stat_xact_user_tables WHERE schemaname = 'public'`;

/**
 * Runs a migration, and counts rows. A quick one runs in a transaction in which gifts wait for all tables, so everything counts that
 * it reads and writes. Of a gradual one, everything counts that it writes, because it locks those rows, and what each of its
 * statements about the schema reads while it holds a lock on a table for which gifts wait. A superuser has to run it.
 */
export async function countRowsWhileLocked(
  runner: QueryRunner,
  migration: MigrationInterface,
): Promise<RowsWhileLocked> {
  return migration.transaction === false ? countOfGradual(runner, migration) : countOfQuick(runner, migration);
}

interface RowsOfTable {
  readonly table: string;
  readonly rows: number;
}

async function countOfQuick(runner: QueryRunner, migration: MigrationInterface): Promise<RowsWhileLocked> {
  await flush(runner);
  await runner.startTransaction();
  // In tables as small as these, the planner would read all rows to find one. In large ones it does not.
  await runner.query('SET LOCAL enable_seqscan = off');
  await migration.up(runner);
  const rows = (await runner.query(ROWS_OF_TRANSACTION)) as readonly RowsOfTable[];
  await runner.commitTransaction();
  return sumByTable(rows);
}

/** An event trigger looks at each statement about the schema at its end, when it still holds its locks. */
const WATCH = `
  CREATE SCHEMA watch;
  CREATE TABLE watch.reading ("table" text, rows integer);
  CREATE FUNCTION watch.read_rows() RETURNS event_trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF EXISTS (SELECT FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
      WHERE l.pid = pg_backend_pid() AND l.mode IN ${MODES} AND c.relname IN (${LARGE_TABLES.map((name) => `'${name}'`).join(', ')}))
    THEN
      INSERT INTO watch.reading ${ROWS_OF_TRANSACTION};
    END IF;
  END $$;
  CREATE EVENT TRIGGER watch ON ddl_command_end EXECUTE FUNCTION watch.read_rows()`;

const WRITTEN = `
  SELECT relname AS "table", (n_tup_ins + n_tup_upd + n_tup_del)::integer AS rows
  FROM pg_stat_user_tables WHERE schemaname = 'public'`;

async function countOfGradual(runner: QueryRunner, migration: MigrationInterface): Promise<RowsWhileLocked> {
  const before = await writtenRows(runner);
  await runner.query(WATCH);
  await runner.query('SET enable_seqscan = off');
  await migration.up(flushingBeforeEach(runner));
  await runner.query('RESET enable_seqscan');
  const read = (await runner.query('SELECT "table", rows FROM watch.reading')) as readonly RowsOfTable[];
  await runner.query('DROP EVENT TRIGGER watch');
  await runner.query('DROP SCHEMA watch CASCADE');
  const after = await writtenRows(runner);
  const written = [...after].map(([table, rows]) => ({ table, rows: rows - (before.get(table) ?? 0) }));
  return sumByTable([...read, ...written]);
}

/** The server keeps counts for a while, and adds them to those of the next transaction. */
async function flush(runner: QueryRunner): Promise<void> {
  await runner.query('SELECT pg_stat_force_next_flush()');
}

function flushingBeforeEach(runner: QueryRunner): QueryRunner {
  const flushing = Object.create(runner) as QueryRunner;
  flushing.query = async (...statement: Parameters<QueryRunner['query']>): Promise<never> => {
    if (!flushing.isTransactionActive) await flush(runner);
    return (await runner.query(...statement)) as never;
  };
  return flushing;
}

/** The rows that all transactions have written so far. */
async function writtenRows(runner: QueryRunner): Promise<RowsWhileLocked> {
  await flush(runner);
  return sumByTable((await runner.query(WRITTEN)) as readonly RowsOfTable[]);
}

function sumByTable(counted: readonly RowsOfTable[]): RowsWhileLocked {
  const sums = new Map<string, number>();
  for (const { table, rows } of counted) sums.set(table, (sums.get(table) ?? 0) + rows);
  return sums;
}
