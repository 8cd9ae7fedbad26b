import { type DataSource, Migration, MigrationExecutor, type QueryRunner } from 'typeorm';
import { lockTables } from './lock-tables.js';

/**
 * All tables of the service but two. No other session locks the list of migrations. The queue is not locked, so that
 * processes can renew the leases of their jobs meanwhile.
 */
const TABLES = `
  SELECT string_agg(format('%I.%I', schemaname, tablename), ', ' ORDER BY tablename) AS tables FROM pg_tables
  WHERE schemaname = 'public' AND tablename NOT IN ('migrations', 'job') AND pg_has_role(current_user, tableowner, 'USAGE')`;

/** What {@link runMigrations} does in the transactions that record migrations. */
export interface MigrationSteps<T> {
  /**
   * Runs in the transaction of the quick migrations, also if there are none, so that a running service never sees one without the
   * other. @param applied the names of the quick migrations
   */
  readonly finish: (runner: QueryRunner, applied: readonly string[]) => Promise<T>;
  /** Runs in the transaction that records a gradual migration whose work is done. */
  readonly record: (runner: QueryRunner, applied: readonly [name: string]) => Promise<void>;
}

/**
 * Applies the pending migrations. First the quick ones, all or none, while all tables are locked. Then the gradual ones, one
 * after the other and without a transaction, while gifts arrive: those with `transaction = false`. A gradual one that failed
 * is repeated by the next call (ADR 68).
 * @returns the result of `finish`, and the names of the gradual migrations.
 */
export async function runMigrations<T>(
  dataSource: DataSource,
  { finish, record }: MigrationSteps<T>,
): Promise<{ finished: T; gradual: readonly string[] }> {
  const runner = dataSource.createQueryRunner();
  const executor = new MigrationExecutor(dataSource, runner);
  try {
    const pending = await executor.getPendingMigrations();
    const quick = pending.filter((migration) => !isGradual(migration));
    const gradual = pending.filter(isGradual);
    const finished = await inTransaction(runner, async () => {
      if (quick.length > 0) await lockAll(runner);
      for (const migration of quick) await executor.executeMigration(migration);
      return finish(runner, namesOf(quick));
    });
    if (gradual.length > 0) await liftTimeLimits(runner);
    for (const migration of gradual) {
      await migration.instance?.up(runner);
      await inTransaction(runner, async () => {
        await executor.executeMigration(asDone(migration));
        await record(runner, [migration.name]);
      });
    }
    return { finished, gradual: namesOf(gradual) };
  } finally {
    await runner.release();
  }
}

function isGradual({ instance }: Migration): boolean {
  return instance?.transaction === false;
}

function namesOf(migrations: readonly Migration[]): string[] {
  return migrations.map(({ name }) => name);
}

/** The migration as one that has nothing left to do, so that the executor only records it. */
function asDone({ id, timestamp, name }: Migration): Migration {
  const nothing = { up: () => Promise.resolve(), down: () => Promise.resolve() };
  return new Migration(id, timestamp, name, nothing);
}

async function inTransaction<T>(runner: QueryRunner, work: () => Promise<T>): Promise<T> {
  await runner.startTransaction();
  try {
    const result = await work();
    await runner.commitTransaction();
    return result;
  } catch (error) {
    // The error of interest is the first one.
    await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  }
}

/** Building an index takes minutes, and waits for transactions that are older. Nobody waits for it. */
async function liftTimeLimits(runner: QueryRunner): Promise<void> {
  await runner.query(`
    SELECT set_config(name, '0', false) FROM pg_settings
    WHERE name IN ('lock_timeout', 'statement_timeout', 'transaction_timeout')`);
}

/** Locks all tables before the first change, because migrations change them in another order than a running service. */
async function lockAll(runner: QueryRunner): Promise<void> {
  const [found] = (await runner.query(TABLES)) as readonly { tables: string | null }[];
  if (found === undefined || found.tables === null) return;
  await lockTables(runner, found.tables);
}
