import type { EntityManager } from 'typeorm';
import { sqlRows } from './sql.js';
import type { Transactions } from './transactions.js';

/** A setting of this transaction. next_id() counts the ids for it here, and takes none from a sequence. */
const BEGIN_DRY_RUN = "SELECT set_config('offertory.dry_run', '0', true)";

/**
 * Returns the result of `work`, which writes as usual in a transaction that is rolled back. Rows whose ids come from
 * next_id() use up no ids, and the database refuses to commit the transaction (ADR 27).
 * @throws the errors of `work` and {@link Transactions.run}.
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

/** Rolls a dry run back, and carries its result. */
class RollBack extends Error {
  constructor(readonly result: unknown) {
    super('Rolled back on purpose');
  }
}
