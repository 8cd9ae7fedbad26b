import type { EntityManager } from 'typeorm';
import { prepared, sqlRow, sqlRows } from '../../../database/index.js';
import { ContributionNotFoundError, currentFund, isGift, isOfPayment } from '../../ledger/index.js';
import type { StoredAmount } from '../../../values/index.js';

/** A payment that this transaction has locked. Nobody else reverses, moves or reinstates a part of it meanwhile. */
export interface LockedPayment {
  readonly paymentId: number;
  /** What was paid. */
  readonly paid: StoredAmount;
  /** Of the contribution by whose id the payment was found: the gift that it reverses, if it is a reversing entry. */
  readonly reversesId: number | null;
}

/** A gift of a locked payment: a part, or a reinstatement. */
export interface GiftRow {
  readonly id: number;
  readonly person_id: number;
  readonly first_name: string;
  readonly last_name: string;
  /** What is not reversed of it. */
  readonly left: StoredAmount;
  /** What is reversed of it. */
  readonly reversed: StoredAmount;
  readonly currency: string;
  readonly contribution_type_id: number;
  readonly day: string;
  /** The fund to which it was given. */
  readonly given_fund_id: number;
  /** The gift of which it restores what was taken back; null if it is no reinstatement. */
  readonly restores_id: number | null;
  /** The fund that it was moved to last, or its own. */
  readonly fund_id: number;
  readonly fund_name: string;
  readonly bundle_type_id: number;
  /** The user who added the gift. */
  readonly added_by: string;
}

/** The person first, as in a merge, to avoid deadlocks. Both rows are found before the wait: neither id ever changes. */
const LOCK_PAYMENT = prepared(`
  WITH named AS MATERIALIZED (SELECT payment_id, person_id, reverses_id FROM contribution WHERE id = $1),
  giver AS MATERIALIZED (SELECT p.id FROM named JOIN person p ON p.id = named.person_id FOR KEY SHARE OF p)
  SELECT payment.id AS "paymentId", payment.amount AS paid, named.reverses_id AS "reversesId"
  FROM named, giver, payment
  WHERE payment.id = named.payment_id
  FOR NO KEY UPDATE OF payment`);

/** Locks the gifts before the joins: if one moved to another person during the wait, the join would find no row. */
const LOCK_GIFTS = prepared(`
  SELECT c.id, c.person_id, p.first_name, p.last_name, c.amount - c.reversed_amount AS left,
    c.reversed_amount AS reversed, c.currency,
    c.contribution_type_id, c.day::text AS day, c.fund_id AS given_fund_id,
    (SELECT reverses_id FROM contribution entry WHERE entry.id = c.reinstates_id) AS restores_id,
    f.id AS fund_id, f.name AS fund_name, b.bundle_type_id, u.username AS added_by
  FROM (
    SELECT * FROM contribution c WHERE ${isOfPayment('c', '$1::integer')} AND ${isGift('c')}
    ORDER BY c.id FOR NO KEY UPDATE
  ) c
    JOIN person p ON p.id = c.person_id
    JOIN bundle b ON b.id = c.bundle_id
    JOIN app_user u ON u.id = c.added_by
    JOIN fund f ON f.id = ${currentFund('c')}
  ORDER BY c.id`);

/**
 * Locks the payment of a contribution. Of several concurrent calls, one continues; the others wait here.
 * @throws ContributionNotFoundError
 */
export async function lockPayment(tx: EntityManager, contributionId: number): Promise<LockedPayment> {
  const payment = await sqlRow<LockedPayment>(tx, LOCK_PAYMENT, [contributionId]);
  if (payment === undefined) throw new ContributionNotFoundError(contributionId);
  return payment;
}

/** Locks and reads the gifts of a locked payment. A statement of its own, so that it sees what the lock waited for. */
export async function lockGifts(tx: EntityManager, { paymentId }: LockedPayment): Promise<GiftRow[]> {
  return sqlRows<GiftRow>(tx, LOCK_GIFTS, [paymentId]);
}

/** Whether something is left of the gift. */
export function hasLeft({ left }: GiftRow): boolean {
  return /[1-9]/.test(left);
}
