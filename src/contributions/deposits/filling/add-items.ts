import type { EntityManager } from 'typeorm';
import { sqlRows } from '../../../database/index.js';
import type { LockedDeposit } from '../deposit-rows.js';
import { DepositIdReusedError, DepositReconciledError, InOtherDepositError } from '../errors.js';
import { findItems } from './find-items.js';
import { itemInWords, knownKey, type KnownItem, nameKey, type NamedItem } from './named-item.js';

/** How items are added. */
export interface Adding {
  /** The name of the user, or "command line". */
  readonly by: string;
  /** Whether an item that was removed from the deposit is added again. A processor that repeats a call does not do that. */
  readonly addsRemoved: boolean;
}

/** An item that the deposit does not have yet. */
export interface NewItem {
  readonly named: NamedItem;
  /** Null while it is not in the books. */
  readonly known: KnownItem | null;
  /** Of a reversal that is not in the books: the payment, if that is. */
  readonly paymentId: number | null;
}

interface PresentRow extends Omit<NamedItem, 'fee'> {
  readonly paymentId: number | null;
  readonly reversalId: number | null;
  readonly fee: string | null;
  readonly hasOwnFee: boolean;
  readonly isRemoved: boolean;
}

/** $1 deposit, $2 ContributionIds, $3 transaction ids, $4 payments */
const SELECT_PRESENT = `
  SELECT is_reversal AS "isReversal", contribution_id AS "contributionId", source, transaction_id AS "transactionId",
    refund_id AS "refundId", payment_id AS "paymentId", reversal_id AS "reversalId", fee, has_own_fee AS "hasOwnFee",
    removed_at IS NOT NULL AS "isRemoved"
  FROM deposit_item
  WHERE deposit_id = $1
    AND (contribution_id = ANY ($2::integer[]) OR transaction_id = ANY ($3::text[]) OR payment_id = ANY ($4::integer[]))
  ORDER BY id`;

/**
 * Adds those items to a locked deposit that it does not have yet. An item is the same if it has the same name, or is the same
 * payment or reversal.
 * @returns the number of added items.
 * @throws DepositItemNotFoundError, DepositItemUnclearError, DepositIdReusedError if the deposit has an item with another fee,
 * InOtherDepositError, DepositReconciledError if there is anything to add. Then the transaction must be rolled back.
 */
export async function addItems(
  tx: EntityManager,
  deposit: LockedDeposit,
  items: readonly NamedItem[],
  adding: Adding,
): Promise<number> {
  if (items.length === 0) return 0;
  const added = await newItems(tx, deposit, items, adding.addsRemoved);
  if (added.length > 0) await insertItems(tx, deposit, added, adding.by);
  return added.length;
}

async function newItems(
  tx: EntityManager,
  deposit: LockedDeposit,
  items: readonly NamedItem[],
  addsRemoved: boolean,
): Promise<NewItem[]> {
  const found = await findItems(tx, deposit, items);
  const present = await presentItems(
    tx,
    deposit,
    items,
    found.map((one) => ('known' in one ? one.known.paymentId : null)),
  );
  /** The fee that was sent with each item of the deposit, by its keys. */
  const fees = new Map<string, string | null>();
  for (const row of present) {
    if (row.isRemoved && addsRemoved) continue;
    const fee = row.hasOwnFee ? row.fee : null;
    fees.set(nameKey(row), fee);
    if (isKnown(row)) fees.set(knownKey(row), fee);
  }
  const added: NewItem[] = [];
  items.forEach((named, index) => {
    const one = found[index];
    if (one === undefined) throw new Error('Every item has a result');
    const keys = [nameKey(named), ...('known' in one ? [knownKey(one.known)] : [])];
    const key = keys.find((candidate) => fees.has(candidate));
    if (key !== undefined) {
      if (fees.get(key) !== named.fee)
        throw new DepositIdReusedError(deposit.depositId, `another Fee of ${itemInWords(named)}`);
      return;
    }
    if ('error' in one) throw one.error(`Item ${index + 1}`);
    for (const candidate of keys) fees.set(candidate, named.fee);
    const known = 'known' in one ? one.known : null;
    added.push({ named, known, paymentId: 'unknown' in one ? one.unknown.paymentId : null });
  });
  return added;
}

function isKnown(row: PresentRow): row is PresentRow & { readonly paymentId: number } {
  return row.paymentId !== null && (!row.isReversal || row.reversalId !== null);
}

async function presentItems(
  tx: EntityManager,
  deposit: LockedDeposit,
  items: readonly NamedItem[],
  paymentIds: readonly (number | null)[],
): Promise<readonly PresentRow[]> {
  return sqlRows<PresentRow>(tx, SELECT_PRESENT, [
    deposit.id,
    items.map(({ contributionId }) => contributionId),
    items.map(({ transactionId }) => transactionId),
    paymentIds,
  ]);
}

/**
 * In the order of payments, then of reversals: of two transactions that add the same ones to different deposits, the second
 * waits for the first, and never both for each other.
 */
const INSERT_ITEMS = `
  INSERT INTO deposit_item (deposit_id, is_reversal, contribution_id, source, transaction_id, refund_id, payment_id,
    reversal_id, amount, fee, has_own_fee, added_by)
  SELECT $1, is_reversal, contribution_id, source, transaction_id, refund_id, payment_id, reversal_id, amount, fee,
    has_own_fee, $2
  FROM unnest($3::boolean[], $4::integer[], $5::text[], $6::text[], $7::text[], $8::integer[], $9::integer[],
      $10::numeric[], $11::numeric[], $12::boolean[])
    WITH ORDINALITY AS i (is_reversal, contribution_id, source, transaction_id, refund_id, payment_id, reversal_id, amount, fee,
      has_own_fee, place)
  ORDER BY is_reversal, COALESCE(reversal_id, payment_id), place
  ON CONFLICT DO NOTHING
  RETURNING id`;

/** Adds items to a locked deposit. @throws DepositReconciledError, InOtherDepositError */
export async function insertItems(
  tx: EntityManager,
  deposit: LockedDeposit,
  items: readonly NewItem[],
  by: string,
): Promise<void> {
  if (deposit.isReconciled) throw new DepositReconciledError(deposit.id);
  const rows = await sqlRows(tx, INSERT_ITEMS, [
    deposit.id,
    by,
    items.map(({ named }) => named.isReversal),
    items.map(({ named }) => named.contributionId),
    items.map(({ named }) => named.source),
    items.map(({ named }) => named.transactionId),
    items.map(({ named }) => named.refundId),
    items.map(({ known, paymentId }) => known?.paymentId ?? paymentId),
    items.map(({ known }) => known?.reversalId ?? null),
    items.map(({ known }) => known?.amount ?? null),
    items.map(({ named, known }) => named.fee ?? known?.fee ?? null),
    items.map(({ named }) => named.fee !== null),
  ]);
  if (rows.length < items.length) throw await inOtherDeposit(tx, deposit, items);
}

const SELECT_HOLDERS = `
  SELECT deposit_id AS "holderId", payment_id AS "paymentId", reversal_id AS "reversalId" FROM deposit_item
  WHERE removed_at IS NULL AND payment_id = ANY ($1::integer[]) AND NOT is_reversal
  UNION ALL
  SELECT deposit_id, payment_id, reversal_id FROM deposit_item
  WHERE removed_at IS NULL AND reversal_id = ANY ($2::integer[])`;

/** So many items are named in a refusal. */
const NAMED_ITEMS = 5;

async function inOtherDeposit(
  tx: EntityManager,
  deposit: LockedDeposit,
  items: readonly NewItem[],
): Promise<InOtherDepositError> {
  interface Holder {
    readonly holderId: number;
    readonly paymentId: number;
    readonly reversalId: number | null;
  }
  const known = items.flatMap((item) => item.known ?? []);
  const holders = await sqlRows<Holder>(tx, SELECT_HOLDERS, [
    known.flatMap(({ paymentId, reversalId }) => (reversalId === null ? [paymentId] : [])),
    known.flatMap(({ reversalId }) => reversalId ?? []),
  ]);
  const holderOf = new Map(
    holders
      .filter(({ holderId }) => holderId !== deposit.id)
      .map(({ holderId, ...row }) => [
        row.reversalId === null ? knownKey({ ...row, reversalId: null }) : knownKey(row),
        holderId,
      ]),
  );
  const held = items.flatMap(({ named, known: one }) => {
    const holder = one === null ? undefined : holderOf.get(knownKey(one));
    return holder === undefined ? [] : [`${capitalized(itemInWords(named))} is in deposit ${holder} already`];
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
