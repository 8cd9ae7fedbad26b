import { setTimeout as sleep } from 'node:timers/promises';
import { type DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import { isLockTimeout } from '../errors/sqlstate.js';

/** How long a table is waited for at once, in which others that come for it wait as well. */
const LOCK_TIMEOUT_MS = 250;
/** After which the database is given up: somebody holds a transaction open. */
const LOCKS_WITHIN_MS = 120_000;

/**
 * All of ours. The list of applied migrations is in nobody else's way; and a job that could not renew its lease would be lost by
 * the process that works on it, so a migration that changes the table job has to do without.
 */
const TABLES = `
  SELECT string_agg(format('%I.%I', schemaname, tablename), ', ' ORDER BY tablename) AS tables FROM pg_tables
  WHERE schemaname = 'public' AND tablename NOT IN ('migrations', 'job') AND pg_has_role(current_user, tableowner, 'USAGE')`;

/**
 * Applies the pending migrations, and does what has to go with them, all or nothing: a service that works meanwhile never
 * finds the one without the other.
 * @param finish is told the names of those that were applied. @returns what it returns.
 */
export async function runMigrations<T>(
  dataSource: DataSource,
  finish: (runner: QueryRunner, applied: readonly string[]) => Promise<T>,
): Promise<T> {
  const runner = dataSource.createQueryRunner();
  const executor = new MigrationExecutor(dataSource, runner);
  try {
    const isBehind = (await executor.getPendingMigrations()).length > 0;
    await runner.startTransaction();
    if (isBehind) await lockTables(runner);
    const applied = isBehind ? await executor.executePendingMigrations() : [];
    const result = await finish(
      runner,
      applied.map(({ name }) => name),
    );
    await runner.commitTransaction();
    return result;
  } catch (error) {
    if (runner.isTransactionActive) await runner.rollbackTransaction();
    throw error;
  } finally {
    await runner.release();
  }
}

/**
 * Locks all tables before the first one is changed. A program that works meanwhile locks some of them in another order
 * than migrations change them, which would be a deadlock. Either all are locked, or none is held while others are waited for: so
 * nobody waits in a circle, and calls go on while somebody else holds a table for long.
 */
async function lockTables(runner: QueryRunner): Promise<void> {
  const [found] = (await runner.query(TABLES)) as readonly { tables: string | null }[];
  if (found === undefined || found.tables === null) return;
  const until = performance.now() + LOCKS_WITHIN_MS;
  while (!(await hasLocked(runner, found.tables))) {
    if (performance.now() > until) {
      throw new Error(
        'Another session has kept tables locked for two minutes: see pg_stat_activity for its transaction',
      );
    }
    await sleep(50 + Math.random() * 200);
  }
}

async function hasLocked(runner: QueryRunner, tables: string): Promise<boolean> {
  await runner.query('SAVEPOINT before_locks');
  try {
    await runner.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await runner.query(`LOCK TABLE ${tables} IN ACCESS EXCLUSIVE MODE`);
    await runner.query('SET LOCAL lock_timeout TO DEFAULT');
    return true;
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    await runner.query('ROLLBACK TO SAVEPOINT before_locks');
    return false;
  }
}
