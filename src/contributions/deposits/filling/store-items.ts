import type { EntityManager } from 'typeorm';
import { sqlRows } from '../../../database/index.js';
import type { LockedDeposit } from '../deposit-rows.js';
import { DepositReconciledError, InOtherDepositError } from '../errors.js';
import { isFreePayment, isFreeReversal } from './find-items.js';
import type { NewItem } from './items-there.js';
import { itemInWords, knownKey } from './named-item.js';

/** How items are added. */
export interface Adding {
  /** The name of the user, or "command line". */
  readonly by: string;
  /**
   * The processor that adds; null: Finance, which also adds again what was removed from the deposit. A processor that repeats a
   * call does not do that.
   */
  readonly processorId: number | null;
}

/** First the payments, then the reversals. What another deposit has is left out, and the caller refuses the whole call. */
const INSERT_ITEMS = `
  INSERT INTO deposit_item (deposit_id, is_reversal, contribution_id, source, transaction_id, user_id, refund_id,
    payment_id, reversal_id, amount, fee, has_own_fee, added_by)
  SELECT $1, is_reversal, contribution_id, source, transaction_id, user_id, refund_id, payment_id, reversal_id, amount, fee,
    has_own_fee, $2
  FROM unnest($3::boolean[], $4::integer[], $5::text[], $6::text[], $7::integer[], $8::text[], $9::integer[], $10::integer[],
      $11::numeric[], $12::numeric[], $13::boolean[])
    WITH ORDINALITY AS i (is_reversal, contribution_id, source, transaction_id, user_id, refund_id, payment_id, reversal_id,
      amount, fee, has_own_fee, place)
  ORDER BY is_reversal, COALESCE(reversal_id, payment_id), place
  ON CONFLICT DO NOTHING
  RETURNING id`;

/** Adds items to a locked deposit. @throws DepositReconciledError, InOtherDepositError */
export async function insertItems(
  tx: EntityManager,
  deposit: LockedDeposit,
  items: readonly NewItem[],
  { by, processorId }: Adding,
): Promise<void> {
  if (deposit.isReconciled) throw new DepositReconciledError(deposit.id);
  const rows = await sqlRows(tx, INSERT_ITEMS, [
    deposit.id,
    by,
    items.map(({ named }) => named.isReversal),
    items.map(({ named }) => named.contributionId),
    items.map(({ named }) => named.source),
    items.map(({ named }) => named.transactionId),
    items.map(({ named }) => named.userId),
    items.map(({ named }) => named.refundId),
    items.map(({ known, paymentId }) => known?.paymentId ?? paymentId),
    items.map(({ known }) => known?.reversalId ?? null),
    items.map(({ known }) => known?.amount ?? null),
    items.map(({ named, known }) => named.fee ?? known?.fee ?? null),
    items.map(({ named }) => named.fee !== null),
  ]);
  if (rows.length < items.length) throw await inOtherDeposit(tx, deposit, items, processorId);
}

/** What another deposit has is left out, and the caller refuses the whole call. */
const NAME_USERS = `
  UPDATE deposit_item i SET user_id = named.user_id, payment_id = COALESCE(named.payment_id, i.payment_id),
    reversal_id = named.reversal_id, amount = named.amount, fee = COALESCE(i.fee, named.fee)
  FROM unnest($1::integer[], $2::integer[], $3::integer[], $4::integer[], $5::numeric[], $6::numeric[])
    AS named (id, user_id, payment_id, reversal_id, amount, fee)
  WHERE i.id = named.id
    AND CASE WHEN named.amount IS NULL THEN true WHEN i.is_reversal THEN ${isFreeReversal('named.reversal_id')}
      ELSE ${isFreePayment('named.payment_id')} END
  RETURNING i.id`;

/** Stores whose gifts items of the deposit are, and what they are in the books. @throws DepositReconciledError, InOtherDepositError */
export async function nameUsers(
  tx: EntityManager,
  deposit: LockedDeposit,
  named: ReadonlyMap<number, NewItem>,
  { processorId }: Adding,
): Promise<void> {
  if (deposit.isReconciled) throw new DepositReconciledError(deposit.id);
  const items = [...named.values()];
  const rows = await sqlRows(tx, NAME_USERS, [
    [...named.keys()],
    items.map((item) => item.named.userId),
    items.map(({ known, paymentId }) => known?.paymentId ?? paymentId),
    items.map(({ known }) => known?.reversalId ?? null),
    items.map(({ known }) => known?.amount ?? null),
    items.map(({ known }) => known?.fee ?? null),
  ]);
  if (rows.length < items.length) throw await inOtherDeposit(tx, deposit, items, processorId);
}

const SELECT_HOLDERS = `
  SELECT held.*, d.user_id AS "userId"
  FROM (
    SELECT deposit_id AS "holderId", payment_id AS "paymentId", reversal_id AS "reversalId" FROM deposit_item
    WHERE removed_at IS NULL AND payment_id = ANY ($1::integer[]) AND NOT is_reversal
    UNION ALL
    SELECT deposit_id, payment_id, reversal_id FROM deposit_item
    WHERE removed_at IS NULL AND reversal_id = ANY ($2::integer[])
  ) held JOIN deposit d ON d.id = held."holderId"`;

/** So many items are named in a refusal. */
const NAMED_ITEMS = 5;

async function inOtherDeposit(
  tx: EntityManager,
  deposit: LockedDeposit,
  items: readonly NewItem[],
  processorId: number | null,
): Promise<InOtherDepositError> {
  interface Holder {
    readonly holderId: number;
    readonly paymentId: number;
    readonly reversalId: number | null;
    readonly userId: number | null;
  }
  const known = items.flatMap((item) => item.known ?? []);
  const holders = await sqlRows<Holder>(tx, SELECT_HOLDERS, [
    known.flatMap(({ paymentId, reversalId }) => (reversalId === null ? [paymentId] : [])),
    known.flatMap(({ reversalId }) => reversalId ?? []),
  ]);
  const holderOf = new Map(
    holders
      .filter(({ holderId }) => holderId !== deposit.id)
      .map(({ holderId, userId, ...row }) => [
        knownKey(row),
        // A processor learns nothing about the deposits of others.
        processorId === null || userId === processorId ? `deposit ${holderId}` : 'another deposit',
      ]),
  );
  const held = items.flatMap(({ named, known: one }) => {
    const holder = one === null ? undefined : holderOf.get(knownKey(one));
    return holder === undefined ? [] : [`${capitalized(itemInWords(named))} is in ${holder} already`];
  });
  const more = held.length - NAMED_ITEMS;
  return new InOtherDepositError([
    ...held.slice(0, NAMED_ITEMS),
    ...(more > 0 ? [`So are ${more} others`] : []),
    ...(held.length === 0 ? ['An item is in another deposit already'] : []),
  ]);
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
