import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { migrations } from '../migrations/index.js';
import type { BenchDatabases } from './databases.js';
import type { Extent } from './extent.js';
import { FIRST_NUMBER, type Size } from './fill.js';
import { count } from './table.js';

/** How long one migration took. */
export interface MigrationFigures {
  readonly name: string;
  readonly seconds: number;
  /** The large tables that it locked against gifts, besides the lock on all tables that the service takes before. */
  readonly locked: readonly string[];
}

export interface UpgradeResult {
  readonly size: Size;
  readonly figures: readonly MigrationFigures[];
}

/** The last migration of the last release, which test/life/previous-release.ts names. */
const LAST_RELEASED = 'NoticesAgain1764288000009';

const ROWS_AT_ONCE = 200_000;
const PROGRESS_EVERY_MS = 30_000;

/** Fills a database of the last release, and measures each migration since then. */
export async function upgrade(
  databases: BenchDatabases,
  extent: Extent,
  log: (line: string) => void,
): Promise<UpgradeResult> {
  const size = extent.sizes.at(-1);
  if (size === undefined) throw new Error('There is no size');
  const url = await databases.createEmpty();
  const dataSource = await new DataSource({ type: 'postgres', url, extra: { max: 1 } }).initialize();
  const runner = dataSource.createQueryRunner();
  try {
    const all = migrations.map((Migration): MigrationInterface & { name: string } => new Migration());
    const released = 1 + all.findIndex(({ name }) => name === LAST_RELEASED);
    for (const migration of all.slice(0, released)) await migration.up(runner);
    await fillReleased(runner, size, log);
    const figures: MigrationFigures[] = [];
    for (const migration of all.slice(released)) {
      const measured = await measure(runner, migration, log);
      figures.push(measured);
      log(
        `upgrade: ${measured.name}: ${measured.seconds.toFixed(1)} s, locked ${measured.locked.join(', ') || 'none'}`,
      );
    }
    return { size, figures };
  } finally {
    await runner.release();
    await dataSource.destroy();
  }
}

/** The tables that grow with the gifts. */
const LOCKED = `
  SELECT DISTINCT c.relname AS name FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
  WHERE l.pid = pg_backend_pid() AND c.relname IN ('person', 'contact', 'match_key', 'contribution', 'payment')
    AND l.mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock') ORDER BY 1`;

async function measure(
  runner: QueryRunner,
  migration: MigrationInterface & { name: string },
  log: (line: string) => void,
): Promise<MigrationFigures> {
  const begin = performance.now();
  const seconds = (): number => (performance.now() - begin) / 1_000;
  const telling = setInterval(() => log(`upgrade: ${migration.name}, ${seconds().toFixed(0)} s`), PROGRESS_EVERY_MS);
  try {
    const isInTransaction = migration.transaction !== false;
    if (isInTransaction) await runner.startTransaction();
    await migration.up(runner);
    const locked = isInTransaction ? ((await runner.query(LOCKED)) as { name: string }[]) : [];
    if (isInTransaction) await runner.commitTransaction();
    return { name: migration.name, seconds: seconds(), locked: locked.map(({ name }) => name) };
  } finally {
    clearInterval(telling);
  }
}

/** Gifts of five users in bundles by day, one for each of the people in turn. Every second one has a transaction id. */
async function fillReleased(runner: QueryRunner, { people, gifts }: Size, log: (line: string) => void): Promise<void> {
  const query = (sql: string, values: unknown[] = []): Promise<unknown> => runner.query(sql, values);
  await query("SET synchronous_commit = off; SET maintenance_work_mem = '256MB'");
  await query(
    `INSERT INTO app_user (username, password_hash) SELECT 'processor' || n, 'none' FROM generate_series(1, 5) AS n`,
  );
  await query(
    `INSERT INTO bundle (bundle_type_id, user_id, day, status, closed_at)
     SELECT 4, u.id, current_date - ago, 0, now() FROM generate_series(1, 3650) AS ago, app_user u ORDER BY ago DESC, u.id`,
  );
  for (let done = 0; done < people; done += ROWS_AT_ONCE) {
    const upTo = Math.min(people, done + ROWS_AT_ONCE);
    await query(
      `INSERT INTO person (first_name, last_name, email, phone, first_name_folded, last_name_folded, email_folded, phone_folded)
       SELECT 'Robert', 'Lastname' || n, email, phone, 'robert', 'lastname' || n, email, phone
       FROM generate_series($1::integer, $2::integer) AS n,
         LATERAL (SELECT 'giver' || n || '@example.org' AS email, '+1615' || n AS phone) contacts ORDER BY n`,
      [FIRST_NUMBER + done + 1, FIRST_NUMBER + upTo],
    );
    log(`upgrade: ${count(upTo)} of ${count(people)} people`);
  }
  await query('SET session_replication_role = replica');
  for (let done = 0; done < gifts; done += ROWS_AT_ONCE) {
    const upTo = Math.min(gifts, done + ROWS_AT_ONCE);
    await query(
      `INSERT INTO contribution (person_id, amount, currency, given_at, day, fund_id, bundle_id, contribution_type_id,
         source, notes, giver_first, giver_last, giver_email, giver_phone, created_by, created_at, matched_by, matched_on,
         other_matches, has_key, transaction_id, request_digest, first_person_id)
       SELECT person, 10 + n % 500, 'USD', b.day, b.day, 1, b.id, 1, 'online', CASE WHEN n % 5 = 0 THEN 'Weekly tithe' END, 'Robert',
         'Lastname' || number, 'giver' || number || '@example.org', '+1615' || number, b.user_id, b.day, 'match',
         ARRAY['lastName', 'firstName', 'email', 'phone'], '{}', n % 2 = 0, CASE WHEN n % 2 = 0 THEN 'T-' || n END,
         CASE WHEN n % 2 = 0 THEN sha256(n::text::bytea) END, CASE WHEN n % 2 = 0 THEN person END
       FROM generate_series($1::integer, $2::integer) AS n
         CROSS JOIN LATERAL (SELECT 1 + (n::bigint * 7919 % $3::integer)::integer AS person) p
         CROSS JOIN LATERAL (SELECT ${FIRST_NUMBER} + person AS number) q
         JOIN bundle b ON b.id = 1 + (n::bigint * (3650 * 5 - 1) / $4::integer)::integer
       ORDER BY n`,
      [done + 1, upTo, people, gifts],
    );
    log(`upgrade: ${count(upTo)} of ${count(gifts)} gifts`);
  }
  await query('SET session_replication_role = DEFAULT');
  await query('VACUUM ANALYZE');
}
