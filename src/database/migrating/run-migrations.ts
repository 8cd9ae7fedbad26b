import { setTimeout as sleep } from 'node:timers/promises';
import { type DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import { isLockTimeout } from '../errors/sqlstate.js';

/** How long one attempt waits for each table. Meanwhile other sessions that need the table have to wait as well. */
const LOCK_TIMEOUT_MS = 250;
/** When to give up, because another session keeps a transaction open. */
const LOCK_LIMIT_MS = 120_000;

/**
 * All tables of the service but two. No other session locks the list of migrations. The queue is not locked, so that
 * processes can renew the leases of their jobs meanwhile.
 */
const TABLES = `
  SELECT string_agg(format('%I.%I', schemaname, tablename), ', ' ORDER BY tablename) AS tables FROM pg_tables
  WHERE schemaname = 'public' AND tablename NOT IN ('migrations', 'job') AND pg_has_role(current_user, tableowner, 'USAGE')`;

/**
 * Applies the pending migrations and calls `finish` in the same transaction, so that a running service never sees one
 * without the other.
 * @param finish gets the names of the applied migrations. @returns the result of `finish`.
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
    // A migration that failed was rolled back by the executor. The error of interest is the first one.
    await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  } finally {
    await runner.release();
  }
}

/**
 * Locks all tables before the first change. A running service locks some of them in another order than migrations
 * change them, which would be a deadlock. An attempt that cannot lock all tables releases those it has before the next
 * one. So there is no deadlock, and calls continue while another session keeps a table locked.
 */
async function lockTables(runner: QueryRunner): Promise<void> {
  const [found] = (await runner.query(TABLES)) as readonly { tables: string | null }[];
  if (found === undefined || found.tables === null) return;
  const until = performance.now() + LOCK_LIMIT_MS;
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
