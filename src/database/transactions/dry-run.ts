import type { EntityManager } from 'typeorm';
import { sqlRows } from './sql.js';
import type { Transactions } from './transactions.js';

/** Local to the transaction: next_id() counts the ids here that it makes for it, and takes none from a sequence. */
const BEGIN_DRY_RUN = "SELECT set_config('offertory.dry_run', '0', true)";

/**
 * The result of `work`, of which nothing else remains: it writes as ever, in a transaction that is rolled back. Rows
 * whose ids come from next_id() use up none; the database refuses to commit it (ADR 27).
 * @throws what `work` and {@link Transactions.run} throw.
 */
export async function dryRun<T>(transactions: Transactions, work: (tx: EntityManager) => Promise<T>): Promise<T> {
  try {
    return await transactions.run<never>(async (tx) => {
      await sqlRows(tx, BEGIN_DRY_RUN);
      throw new RollBack(await work(tx));
    });
  } catch (error) {
    if (error instanceof RollBack) return error.result as T;
    throw error;
  }
}

/** Ends a transaction whose result was all that was wanted. */
class RollBack extends Error {
  constructor(readonly result: unknown) {
    super('Rolled back on purpose');
  }
}
