import type { EntityManager } from 'typeorm';
import { sqlRows } from '../../../../database/index.js';
import type { DepositView } from '../../deposit-view.js';
import { GIFT_OF_TRANSACTION } from '../../filling/find-items.js';
import type { StoredAmount } from '../../../../values/index.js';

/** An item that is not in the books, or that another deposit has. */
export interface UnknownItem {
  readonly itemId: number;
  readonly isReversal: boolean;
  readonly contributionId: number | null;
  readonly transactionId: string | null;
  readonly refundId: string | null;
  /** The payment that another deposit has; null if the item is not in the books. */
  readonly paymentId: number | null;
  /** Its amount without its fee, as decimal text. */
  readonly net: StoredAmount | null;
  readonly inDeposit: number | null;
}

/** A payment of the same payout that is not in the deposit. */
export interface MissingPayment {
  readonly paymentId: number;
  /** Its amount without its fee, as decimal text. */
  readonly net: StoredAmount;
  /** The deposit that has it; null: none. */
  readonly inDeposit: number | null;
}

/** An item whose fee differs from that of its gift. */
export interface OtherFee {
  readonly itemId: number;
  /** By how much it is higher, as decimal text. */
  readonly higher: StoredAmount;
}

/** What is known about a deposit that differs. */
export interface CauseFacts {
  readonly unknown: readonly UnknownItem[];
  readonly missing: readonly MissingPayment[];
  /** Reversals of its payments that are in no deposit. */
  readonly reversed: readonly { readonly reversalId: number; readonly amount: StoredAmount }[];
  readonly otherFees: readonly OtherFee[];
  /** Items whose fee nobody knows. */
  readonly unknownFees: readonly number[];
  /** Gifts in no deposit that are exactly as large as the difference. */
  readonly equalGifts: readonly number[];
  /** Reversals in no deposit that are exactly as large. */
  readonly equalReversals: readonly number[];
  /** Items that are exactly as large, with their fee or without it: taken back, or too many. */
  readonly equalItems: readonly EqualItem[];
}

/** An item that is exactly as large as the difference, with the payment of its gift or of its reversal. */
export interface EqualItem {
  readonly itemId: number;
  readonly paymentId: number;
}

/** How many days before and after a payout a missing gift is searched. */
const DAYS_BEFORE = 31;
const DAYS_AFTER = 1;

/** The most rows of one kind of fact that is only searched for. */
const LIMIT = 20;

const SELECT_UNKNOWN = `
  SELECT i.id AS "itemId", i.is_reversal AS "isReversal", i.contribution_id AS "contributionId",
    i.transaction_id AS "transactionId", i.refund_id AS "refundId", held.payment_id AS "paymentId",
    (p.amount - COALESCE(i.fee, p.fee, 0))::text AS net, held.deposit_id AS "inDeposit"
  FROM deposit_item i JOIN deposit d ON d.id = i.deposit_id
    LEFT JOIN LATERAL ${GIFT_OF_TRANSACTION} gift ON NOT i.is_reversal
    LEFT JOIN deposit_item held ON held.payment_id = gift.id AND NOT held.is_reversal AND held.removed_at IS NULL
    LEFT JOIN payment p ON p.id = held.payment_id
  WHERE i.deposit_id = $1 AND i.amount IS NULL AND i.removed_at IS NULL ORDER BY i.id`;

const SELECT_MISSING = `
  SELECT p.id AS "paymentId", (p.amount - COALESCE(p.fee, 0))::text AS net, held.deposit_id AS "inDeposit"
  FROM payment p JOIN contribution c ON c.id = p.id
    LEFT JOIN deposit_item held ON held.payment_id = p.id AND NOT held.is_reversal AND held.removed_at IS NULL
  WHERE p.payout_id = $3 AND c.source = $2 AND c.currency = $4 AND held.deposit_id IS DISTINCT FROM $1 ORDER BY p.id`;

const SELECT_OTHER_FEES = `
  SELECT i.id AS "itemId", (i.fee - p.fee)::text AS higher
  FROM deposit_item i JOIN payment p ON p.id = i.payment_id
  WHERE i.deposit_id = $1 AND i.removed_at IS NULL AND NOT i.is_reversal AND i.has_own_fee AND i.fee <> p.fee ORDER BY i.id`;

const SELECT_UNKNOWN_FEES = `
  SELECT id FROM deposit_item
  WHERE deposit_id = $1 AND removed_at IS NULL AND NOT is_reversal AND amount IS NOT NULL AND fee IS NULL ORDER BY id`;

/** $1 source, $2 difference, $3 day, $4 currency, $5 the payout of the deposit */
const SELECT_EQUAL_GIFTS = `
  SELECT p.id FROM contribution c JOIN payment p ON p.id = c.id
  WHERE c.day BETWEEN $3::date - ${DAYS_BEFORE} AND $3::date + ${DAYS_AFTER} AND c.payment_id = c.id AND c.source = $1
    AND c.currency = $4 AND $2::numeric IN (p.amount, p.amount - p.fee) AND p.payout_id IS DISTINCT FROM $5
    AND NOT EXISTS (
      SELECT FROM deposit_item held WHERE held.payment_id = p.id AND NOT held.is_reversal AND held.removed_at IS NULL)
  ORDER BY p.id DESC LIMIT ${LIMIT}`;

/** $1 source, $2 difference, $3 day, $4 currency, $5 deposit */
const SELECT_EQUAL_REVERSALS = `
  SELECT r.reversal_id AS id FROM contribution r JOIN contribution c ON c.id = r.payment_id
  WHERE r.day BETWEEN $3::date - ${DAYS_BEFORE} AND $3::date + ${DAYS_AFTER} AND r.reverses_id IS NOT NULL AND c.source = $1
    AND c.currency = $4
    AND NOT EXISTS (SELECT FROM contribution back WHERE back.reinstates_id = r.id)
    AND NOT EXISTS (SELECT FROM deposit_item held WHERE held.reversal_id = r.reversal_id AND held.removed_at IS NULL)
    AND NOT EXISTS (
      SELECT FROM deposit_item own WHERE own.payment_id = r.payment_id AND own.deposit_id = $5 AND own.removed_at IS NULL)
  GROUP BY r.reversal_id HAVING sum(r.amount) = $2::numeric
  ORDER BY r.reversal_id DESC LIMIT ${LIMIT}`;

/** Of a refund, some processors keep the fee, and others give it back. $1 deposit, $2 difference */
const SELECT_EQUAL_ITEMS = `
  SELECT id AS "itemId", payment_id AS "paymentId" FROM deposit_item
  WHERE deposit_id = $1 AND removed_at IS NULL
    AND CASE WHEN is_reversal THEN amount + COALESCE(fee, 0) = $2::numeric
      ELSE $2::numeric IN (COALESCE(fee, 0) - amount, -amount) END
  ORDER BY id LIMIT ${LIMIT}`;

type Ids = readonly { readonly id: number }[];
const idsOf = (rows: Ids): number[] => rows.map(({ id }) => id);

/** Collects what may explain the difference of a deposit. @param reversed reversals of its payments in no deposit. */
export async function readCauseFacts(
  tx: EntityManager,
  { id, source, depositId, date, currency, difference }: DepositView,
  reversed: CauseFacts['reversed'],
): Promise<CauseFacts> {
  return {
    unknown: await sqlRows<UnknownItem>(tx, SELECT_UNKNOWN, [id]),
    missing: await sqlRows<MissingPayment>(tx, SELECT_MISSING, [id, source, depositId, currency]),
    reversed,
    otherFees: await sqlRows<OtherFee>(tx, SELECT_OTHER_FEES, [id]),
    unknownFees: idsOf(await sqlRows(tx, SELECT_UNKNOWN_FEES, [id])),
    equalGifts: idsOf(await sqlRows(tx, SELECT_EQUAL_GIFTS, [source, difference, date, currency, depositId])),
    equalReversals: idsOf(await sqlRows(tx, SELECT_EQUAL_REVERSALS, [source, difference, date, currency, id])),
    equalItems: await sqlRows<EqualItem>(tx, SELECT_EQUAL_ITEMS, [id, difference]),
  };
}
