import type { EntityManager } from 'typeorm';
import { sqlRows } from '../../../database/index.js';
import type { LockedDeposit } from '../deposit-rows.js';
import { DepositItemNotFoundError, DepositItemUnclearError } from '../errors.js';
import { itemInWords, type KnownItem, type NamedItem } from './named-item.js';

/**
 * What a named item is: known; not in the books yet (of a reversal the payment may be known); or not acceptable. The error
 * says why, and is thrown by those who add the item. `sentBy` is the user who has sent the gift; null while it is not in the books.
 */
export type Found =
  | { readonly known: KnownItem; readonly sentBy: number }
  | { readonly unknown: { readonly paymentId: number | null }; readonly sentBy: number | null }
  | { readonly error: (place: string) => Error };

interface NamedRow {
  readonly place: number;
  readonly paymentId: number;
  readonly reversalId: number | null;
  readonly addedBy: number;
  readonly currency: string;
  readonly amount: string;
  readonly fee: string | null;
}

/** SQL for whether an item may be a gift of a user `u`: of the user that it names; if it names none, of any. */
function isNameable(userId: string): string {
  return `(${userId} IS NULL OR u.id = ${userId})`;
}

/**
 * SQL for the payment of an item `i` that a deposit `d` names by a transaction id; null if there is none, or if several users
 * have sent one and the deposit is of none of them. `LIMIT 1` makes the planner look up each one in the index; otherwise it may
 * read all contributions.
 */
export const GIFT_OF_TRANSACTION = `(
  SELECT CASE WHEN count(*) = 1 THEN min(sent.id) ELSE min(sent.id) FILTER (WHERE u.id = d.user_id) END AS id
  FROM app_user u CROSS JOIN LATERAL (
    SELECT c.id FROM contribution c
    WHERE c.created_by = u.id AND c.source = i.source AND c.transaction_id = i.transaction_id AND c.payment_id = c.id
    LIMIT 1) sent
  WHERE ${isNameable('i.user_id')})`;

/** SQL for whether no deposit holds a payment. */
export const isFreePayment = (paymentId: string): string => `NOT EXISTS (
  SELECT FROM deposit_item held WHERE held.payment_id = ${paymentId} AND NOT held.is_reversal AND held.removed_at IS NULL)`;

/** SQL for whether no deposit holds a reversal. */
export const isFreeReversal = (reversalId: string): string => `NOT EXISTS (
  SELECT FROM deposit_item held WHERE held.reversal_id = ${reversalId} AND held.removed_at IS NULL)`;

/** Looks up each name in an index. $1 ContributionIds, $2 sources, $3 transaction ids, $4 users or null */
const SELECT_NAMED = `
  SELECT sent.place::integer AS place, c.payment_id AS "paymentId", c.reversal_id AS "reversalId", c.added_by AS "addedBy",
    c.currency, p.amount, p.fee
  FROM unnest($1::integer[], $2::text[], $3::text[], $4::integer[])
      WITH ORDINALITY AS sent (contribution_id, source, transaction_id, user_id, place)
    CROSS JOIN LATERAL (
      SELECT * FROM contribution WHERE id = sent.contribution_id
      UNION ALL
      SELECT * FROM contribution WHERE created_by = ANY (ARRAY(SELECT u.id FROM app_user u WHERE ${isNameable('sent.user_id')}))
        AND source = sent.source AND transaction_id = sent.transaction_id AND payment_id = id
    ) c
    JOIN payment p ON p.id = c.payment_id`;

interface ReversalRow {
  readonly paymentId: number;
  readonly reversalId: number;
  readonly refundId: string | null;
  readonly amount: string;
  /** The deposit that holds it. */
  readonly depositId: number | null;
}

/** $1 payments */
const SELECT_REVERSALS = `
  SELECT r.payment_id AS "paymentId", r.reversal_id AS "reversalId", min(r.refund_id) AS "refundId",
    (-sum(r.amount))::text AS amount,
    (SELECT i.deposit_id FROM deposit_item i WHERE i.reversal_id = r.reversal_id AND i.removed_at IS NULL) AS "depositId"
  FROM contribution r
  WHERE r.payment_id = ANY ($1::integer[]) AND r.payment_id <> r.id AND r.reverses_id IS NOT NULL
  GROUP BY r.payment_id, r.reversal_id ORDER BY r.reversal_id`;

/** Finds in the books what the items of a deposit name. @returns a result for each item, in the same order. */
export async function findItems(
  tx: EntityManager,
  deposit: LockedDeposit,
  items: readonly NamedItem[],
): Promise<readonly Found[]> {
  const rows = await sqlRows<NamedRow>(tx, SELECT_NAMED, [
    items.map(({ contributionId }) => contributionId),
    items.map(({ source }) => source),
    items.map(({ transactionId }) => transactionId),
    items.map(({ userId }) => userId),
  ]);
  const named = new Map<number, NamedRow[]>();
  for (const row of rows) named.set(row.place, [...(named.get(row.place) ?? []), row]);
  const paymentIds = items.flatMap(({ isReversal }, index) =>
    isReversal ? (named.get(index + 1) ?? []).map(({ paymentId }) => paymentId) : [],
  );
  const reversals = await reversalsOf(tx, paymentIds);
  return items.map((item, index) => foundOf(item, named.get(index + 1) ?? [], deposit, reversals));
}

async function reversalsOf(
  tx: EntityManager,
  paymentIds: readonly number[],
): Promise<ReadonlyMap<number, readonly ReversalRow[]>> {
  const byPayment = new Map<number, ReversalRow[]>();
  if (paymentIds.length === 0) return byPayment;
  for (const row of await sqlRows<ReversalRow>(tx, SELECT_REVERSALS, [paymentIds]))
    byPayment.set(row.paymentId, [...(byPayment.get(row.paymentId) ?? []), row]);
  return byPayment;
}

function foundOf(
  item: NamedItem,
  rows: readonly NamedRow[],
  deposit: LockedDeposit,
  reversals: ReadonlyMap<number, readonly ReversalRow[]>,
): Found {
  const [row, ...others] = nameable(item, rows, deposit);
  if (row === undefined) {
    if (item.contributionId === null) return { unknown: { paymentId: null }, sentBy: null };
    return notFound(`there is no ${itemInWords({ ...item, isReversal: false })}, or your user has not added it`);
  }
  if (others.length > 0)
    return unclear(
      `several users have sent ${itemInWords({ ...item, isReversal: false })}. Name the gift by its ContributionId, or name its User`,
    );
  if (row.currency !== deposit.currency)
    return unclear(
      `${itemInWords(item)} is in ${row.currency}, and the deposit in ${deposit.currency}. Put it into a deposit with the Currency ${row.currency}`,
    );
  if (item.isReversal) return reversalOf(item, row, deposit, reversals.get(row.paymentId) ?? []);
  if (row.reversalId !== null) return unclear(`${itemInWords(item)} is a reversal. Name it in ReversalOf`);
  const { paymentId, amount, fee, addedBy } = row;
  return { known: { paymentId, reversalId: null, amount, fee }, sentBy: addedBy };
}

/** The gifts that an item can mean. Of those of several users, the deposit's own processor comes before the others. */
function nameable({ userId }: NamedItem, rows: readonly NamedRow[], deposit: LockedDeposit): readonly NamedRow[] {
  const found = rows.filter(({ addedBy }) => userId === null || addedBy === userId);
  const own = found.filter(({ addedBy }) => addedBy === deposit.userId);
  return own.length > 0 ? own : found;
}

function reversalOf(
  item: NamedItem,
  { paymentId, reversalId, addedBy }: NamedRow,
  deposit: LockedDeposit,
  all: readonly ReversalRow[],
): Found {
  const meant = all.filter(
    (one) =>
      (reversalId === null || one.reversalId === reversalId) &&
      (item.refundId === null || one.refundId === item.refundId),
  );
  const [only, ...others] = meant;
  if (only === undefined) return { unknown: { paymentId }, sentBy: addedBy };
  // Of several, the one that no deposit holds; if there is none, the one that this deposit holds already.
  const free = meant.filter(({ depositId }) => depositId === null);
  const here = meant.filter(({ depositId }) => depositId === deposit.id);
  const chosen =
    others.length === 0
      ? only
      : free.length === 0 && here.length === 1
        ? here[0]
        : free.length === 1
          ? free[0]
          : undefined;
  if (chosen === undefined) {
    const ids = meant.map((one) => one.reversalId).join(', ');
    return unclear(
      `${itemInWords({ ...item, isReversal: false })} has several reversals. Name one by its RefundId, or by ReversalOf: ${ids}`,
    );
  }
  return { known: { paymentId, reversalId: chosen.reversalId, amount: chosen.amount, fee: null }, sentBy: addedBy };
}

function notFound(what: string): Found {
  return { error: (place) => new DepositItemNotFoundError(`${place}: ${what}`) };
}

function unclear(what: string): Found {
  return { error: (place) => new DepositItemUnclearError(`${place}: ${what}`) };
}
