import type { EntityManager } from 'typeorm';
import { sqlRows } from '../../../database/index.js';
import { displayAmount } from '../../../values/index.js';
import { isPart, JOIN_GIFT, OPEN, PLEDGE_TYPE, TYPE_OF_GIFT } from '../../ledger/index.js';
import type { DepositBundle } from './deposit-details.js';

/** The entries of a deposit: the parts of its payments, and the entries of its reversals. $1 is the deposit. */
const ENTRIES = `
  SELECT c.bundle_id, c.amount, c.currency
  FROM deposit_item i JOIN contribution c ON c.id = i.payment_id
  WHERE i.deposit_id = $1 AND i.removed_at IS NULL AND NOT i.is_reversal
  UNION ALL
  SELECT c.bundle_id, c.amount, c.currency
  FROM deposit_item i JOIN contribution c ON c.payment_id = i.payment_id AND c.payment_id <> c.id
  WHERE i.deposit_id = $1 AND i.removed_at IS NULL
    AND CASE WHEN i.is_reversal THEN c.reversal_id = i.reversal_id ELSE ${isPart('c')} END`;

const SELECT_BUNDLES = `
  SELECT b.id AS "bundleId", t.name AS "bundleType", u.username AS "user", b.day::text AS day,
    CASE b.status WHEN ${OPEN} THEN 'Open' ELSE 'Closed' END AS status, e.count, e.total, e.currency
  FROM (
    SELECT bundle_id, currency, count(*)::integer AS count, sum(amount)::text AS total FROM (${ENTRIES}) entry GROUP BY 1, 2
  ) e
    JOIN bundle b ON b.id = e.bundle_id
    JOIN bundle_type t ON t.id = b.bundle_type_id
    JOIN app_user u ON u.id = b.user_id
  ORDER BY b.id`;

type BundleRow = Omit<DepositBundle, 'uncovered'> & { readonly currency: string };

/** The bundles in which the entries of a deposit are, by id. */
export async function bundlesOfDeposit(tx: EntityManager, id: number): Promise<DepositBundle[]> {
  const rows = await sqlRows<BundleRow>(tx, SELECT_BUNDLES, [id]);
  const uncovered = await uncoveredEntries(
    tx,
    rows.map(({ bundleId }) => bundleId),
  );
  return rows.map(({ currency, total, ...row }) => ({
    ...row,
    total: displayAmount(total, currency),
    uncovered: uncovered.get(row.bundleId) ?? 0,
  }));
}

/** SQL for whether a reconciled deposit has an item. */
const isReconciled = (condition: string): string => `EXISTS (
  SELECT FROM deposit_item i JOIN deposit d ON d.id = i.deposit_id
  WHERE ${condition} AND i.removed_at IS NULL AND d.reconciled_at IS NOT NULL)`;

/**
 * The entries of bundles that come to the bank, each with whether a reconciled deposit has it. Moves between funds cancel
 * each other out, and a pledge is only a promise: neither comes to the bank. What a reinstatement gives back does, and no
 * deposit has it as an item.
 */
const ENTRIES_AT_BANK = `
  SELECT c.bundle_id,
    CASE
      WHEN c.reverses_id IS NOT NULL THEN ${isReconciled('i.reversal_id = c.reversal_id')}
      WHEN c.reinstates_id IS NOT NULL THEN false
      ELSE ${isReconciled('i.payment_id = c.payment_id AND NOT i.is_reversal')} END AS covered
  FROM contribution c ${JOIN_GIFT}
  WHERE c.moves_id IS NULL AND ${TYPE_OF_GIFT} <> ${PLEDGE_TYPE}`;

/** $1 bundles */
const SELECT_UNCOVERED = `
  SELECT bundle_id AS "bundleId", count(*)::integer AS count
  FROM (${ENTRIES_AT_BANK} AND c.bundle_id = ANY ($1::integer[])) entry
  WHERE NOT covered GROUP BY bundle_id`;

const SELECT_OPEN_BUNDLES = `
  SELECT bundle_id AS "bundleId", (count(*) FILTER (WHERE NOT covered))::integer AS uncovered
  FROM (${ENTRIES_AT_BANK} AND c.bundle_id = ANY (ARRAY(SELECT id FROM bundle WHERE status = ${OPEN}))) entry
  GROUP BY bundle_id HAVING bool_or(covered) ORDER BY bundle_id`;

/** An open bundle with entries in reconciled deposits. */
export interface PaidBundle {
  readonly bundleId: number;
  /** Its entries that are in no reconciled deposit. */
  readonly uncovered: number;
}

/** The open bundles with entries in reconciled deposits, by id. */
export async function paidBundles(tx: EntityManager): Promise<readonly PaidBundle[]> {
  return sqlRows<PaidBundle>(tx, SELECT_OPEN_BUNDLES);
}

/** How many entries of bundles are in no reconciled deposit. A bundle without such entries is left out. */
export async function uncoveredEntries(
  tx: EntityManager,
  bundleIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await sqlRows<{ bundleId: number; count: number }>(tx, SELECT_UNCOVERED, [bundleIds]);
  return new Map(rows.map(({ bundleId, count }) => [bundleId, count]));
}
