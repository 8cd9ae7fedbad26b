import type { EntityManager } from 'typeorm';
import { sqlRows } from '../../../database/index.js';
import { displayAmount } from '../../../values/index.js';
import { currentFund, isGift, isOfPayment } from '../../ledger/index.js';
import type { DepositItemView } from './deposit-details.js';

/** A row of {@link SELECT_ITEMS}. Amounts as stored. */
type ItemRow = Omit<DepositItemView, 'giver'> & {
  readonly peopleId: number | null;
  readonly first: string | null;
  readonly last: string | null;
};

/** The gifts of a payment `i.payment_id`. */
const GIFTS = `contribution part WHERE ${isOfPayment('part', 'i.payment_id')} AND ${isGift('part')}`;
/** The entries of a reversal `i.reversal_id`. */
const ENTRIES = `contribution entry WHERE ${isOfPayment('entry', 'i.payment_id')} AND entry.reversal_id = i.reversal_id`;

/** What is taken back of a payment is what its rows leave of it. $1 deposit, $2 after this item, $3 limit */
const SELECT_ITEMS = `
  SELECT i.id AS "itemId", CASE WHEN i.is_reversal THEN 'Reversal' ELSE 'Payment' END AS kind, i.payment_id AS "paymentId",
    i.reversal_id AS "reversalId", COALESCE(i.transaction_id, c.transaction_id) AS "transactionId",
    COALESCE(i.refund_id, r.refund_id) AS "refundId", i.amount, i.fee,
    CASE WHEN NOT i.is_reversal THEN p.fee END AS "giftFee",
    (CASE WHEN i.is_reversal THEN r.day ELSE c.day END)::text AS day, n.id AS "peopleId", n.first_name AS first,
    n.last_name AS last, p.method,
    CASE WHEN i.amount IS NULL THEN '{}' WHEN i.is_reversal
      THEN ARRAY(SELECT DISTINCT f.name FROM fund f WHERE f.id IN (SELECT entry.fund_id FROM ${ENTRIES}) ORDER BY 1)
      ELSE ARRAY(SELECT DISTINCT f.name FROM fund f WHERE f.id IN (SELECT ${currentFund('part')} FROM ${GIFTS}) ORDER BY 1)
    END AS funds,
    CASE WHEN i.amount IS NULL THEN '{}' WHEN i.is_reversal
      THEN ARRAY(SELECT DISTINCT entry.bundle_id FROM ${ENTRIES} ORDER BY 1)
      ELSE ARRAY(SELECT DISTINCT part.bundle_id FROM ${GIFTS} AND part.reinstates_id IS NULL ORDER BY 1)
    END AS "bundleIds",
    CASE WHEN i.is_reversal OR i.amount IS NULL THEN 0
      ELSE p.amount - (SELECT sum(left_of.amount) FROM contribution left_of WHERE ${isOfPayment('left_of', 'i.payment_id')})
    END AS "reversedAmount",
    i.added_by AS "addedBy", i.removed_by AS "removedBy", i.removal_reason AS "removalReason"
  FROM deposit_item i
    LEFT JOIN payment p ON p.id = i.payment_id
    LEFT JOIN contribution c ON c.id = i.payment_id
    LEFT JOIN contribution r ON r.id = i.reversal_id
    LEFT JOIN person n ON n.id = c.person_id
  WHERE i.deposit_id = $1 AND i.id > $2
  ORDER BY i.id LIMIT $3`;

/** A page of the items of a deposit, and the last id if there are more. */
export async function pageOfItems(
  tx: EntityManager,
  { id, currency }: { readonly id: number; readonly currency: string },
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<{ readonly items: DepositItemView[]; readonly next: number | null }> {
  const rows = await sqlRows<ItemRow>(tx, SELECT_ITEMS, [id, after, limit + 1]);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const next = rows.length > limit && last !== undefined ? last.itemId : null;
  return { items: shown.map((row) => itemOf(row, currency)), next };
}

function itemOf({ peopleId, first, last, ...row }: ItemRow, currency: string): DepositItemView {
  const shown = (amount: string | null): string | null => (amount === null ? null : displayAmount(amount, currency));
  return {
    itemId: row.itemId,
    kind: row.kind,
    paymentId: row.paymentId,
    reversalId: row.reversalId,
    transactionId: row.transactionId,
    refundId: row.refundId,
    amount: shown(row.amount),
    fee: shown(row.fee),
    giftFee: shown(row.giftFee),
    day: row.day,
    giver: peopleId === null ? null : { peopleId, first: first ?? '', last: last ?? '' },
    method: row.method,
    funds: row.funds,
    bundleIds: row.bundleIds,
    reversedAmount: displayAmount(row.reversedAmount, currency),
    addedBy: row.addedBy,
    removedBy: row.removedBy,
    removalReason: row.removalReason,
  };
}
