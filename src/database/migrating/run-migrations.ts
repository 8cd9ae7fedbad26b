import { type DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import { lockTables } from './lock-tables.js';

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
    if (isBehind) await lockAll(runner);
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

/** Locks all tables before the first change, because migrations change them in another order than a running service. */
async function lockAll(runner: QueryRunner): Promise<void> {
  const [found] = (await runner.query(TABLES)) as readonly { tables: string | null }[];
  if (found === undefined || found.tables === null) return;
  await lockTables(runner, found.tables);
}
