import { type ClosedBundle, type Ledger, readClosedBundles } from './ledger-invariants.js';

/**
 * Closes all open bundles, as Finance does; the update waits for gifts in flight.
 * @returns all closed bundles as they are after the close.
 */
export async function closeBundles(ledger: Ledger): Promise<ClosedBundle[]> {
  await ledger.query('UPDATE bundle SET status = 0, closed_at = now() WHERE status = 1');
  return await readClosedBundles(ledger);
}
