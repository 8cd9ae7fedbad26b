import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditTrail } from '../../../audit/index.js';
import { sqlRows, Transactions, violatesUnique } from '../../../database/index.js';
import { DEPOSIT_ACTIONS } from '../audit-actions.js';
import { type LockedDeposit, lockDeposit } from '../deposit-rows.js';
import { findItems, GIFT_OF_TRANSACTION } from './find-items.js';
import type { NamedItem } from './named-item.js';

/** SQL for whether no deposit holds a payment. */
const isFreePayment = (paymentId: string): string => `NOT EXISTS (
  SELECT FROM deposit_item held WHERE held.payment_id = ${paymentId} AND NOT held.is_reversal AND held.removed_at IS NULL)`;

/** SQL for whether no deposit holds a reversal. */
const isFreeReversal = (reversalId: string): string => `NOT EXISTS (
  SELECT FROM deposit_item held WHERE held.reversal_id = ${reversalId} AND held.removed_at IS NULL)`;

/** The most deposits that one look at a list completes, so that it does not take long. The next look goes on. */
const DEPOSITS_PER_SEARCH = 50;

/** Deposits with items that are in the books by now. Only unknown items are read, each with a look into an index. */
const SELECT_FINDABLE = `
  SELECT DISTINCT i.deposit_id AS id
  FROM deposit_item i JOIN deposit d ON d.id = i.deposit_id
    LEFT JOIN LATERAL ${GIFT_OF_TRANSACTION} gift ON true
  WHERE i.amount IS NULL AND i.removed_at IS NULL AND d.reconciled_at IS NULL AND ($1::integer IS NULL OR d.id = $1)
    AND CASE WHEN i.is_reversal THEN EXISTS (
        SELECT FROM contribution r
        WHERE r.payment_id = COALESCE(i.payment_id, gift.id) AND r.payment_id <> r.id AND r.reverses_id IS NOT NULL
          AND (i.refund_id IS NULL OR r.refund_id = i.refund_id) AND ${isFreeReversal('r.reversal_id')})
      ELSE gift.id IS NOT NULL AND ${isFreePayment('gift.id')} END
  ORDER BY i.deposit_id LIMIT ${DEPOSITS_PER_SEARCH}`;

const SELECT_UNKNOWN = `
  SELECT id, is_reversal AS "isReversal", contribution_id AS "contributionId", source, transaction_id AS "transactionId",
    refund_id AS "refundId", fee
  FROM deposit_item WHERE deposit_id = $1 AND amount IS NULL AND removed_at IS NULL ORDER BY id`;

/** What another deposit holds stays unknown here. $1 items, $2 payments, $3 reversals, $4 amounts, $5 fees */
const UPDATE_FOUND = `
  UPDATE deposit_item i SET payment_id = found.payment_id, reversal_id = found.reversal_id, amount = found.amount,
    fee = COALESCE(i.fee, found.fee)
  FROM unnest($1::integer[], $2::integer[], $3::integer[], $4::numeric[], $5::numeric[])
    AS found (id, payment_id, reversal_id, amount, fee)
  WHERE i.id = found.id
    AND CASE WHEN i.is_reversal THEN ${isFreeReversal('found.reversal_id')} ELSE ${isFreePayment('found.payment_id')} END
  RETURNING i.id`;

/** How often the search is repeated after another deposit has got the same gift at the same moment. */
const ATTEMPTS = 3;

/**
 * Finds in the books what deposits have named before it was there. Deposits are searched when somebody looks at them or
 * changes them, so that recording a gift does not pay for it.
 */
@Injectable()
export class LateItems {
  constructor(
    private readonly transactions: Transactions,
    private readonly audit: AuditTrail,
  ) {}

  /** Searches for the items of one deposit, or of all that are not reconciled. */
  async find(depositId?: number): Promise<void> {
    const deposits = await this.transactions.query<{ id: number }>(SELECT_FINDABLE, [depositId ?? null]);
    for (const { id } of deposits) await this.attempt((tx) => this.findLocked(tx, id));
  }

  /**
   * Runs `work` in a transaction in which it calls {@link findIn}, and again if another deposit has got the same gift
   * meanwhile.
   */
  async attempt<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    for (let attempts = 1; ; attempts++) {
      try {
        return await this.transactions.run(work);
      } catch (error) {
        const isTaken =
          violatesUnique(error, 'deposit_item_payment_once') || violatesUnique(error, 'deposit_item_reversal_once');
        if (!isTaken || attempts === ATTEMPTS) throw error;
      }
    }
  }

  private async findLocked(tx: EntityManager, id: number): Promise<void> {
    await this.findIn(tx, await lockDeposit(tx, id));
  }

  /** Searches for the items of a locked deposit. What was found is in the audit trail, as done by the service. */
  async findIn(tx: EntityManager, deposit: LockedDeposit): Promise<void> {
    if (deposit.isReconciled) return;
    const unknown = await sqlRows<NamedItem & { readonly id: number }>(tx, SELECT_UNKNOWN, [deposit.id]);
    if (unknown.length === 0) return;
    const results = await findItems(tx, deposit, unknown);
    const found = distinct(
      unknown.flatMap(({ id }, index) => {
        const result = results[index];
        return result !== undefined && 'known' in result ? [{ id, ...result.known }] : [];
      }),
    );
    if (found.length === 0) return;
    const updated = await sqlRows<{ id: number }>(tx, UPDATE_FOUND, [
      found.map(({ id }) => id),
      found.map(({ paymentId }) => paymentId),
      found.map(({ reversalId }) => reversalId),
      found.map(({ amount }) => amount),
      found.map(({ fee }) => fee),
    ]);
    if (updated.length === 0) return;
    const details = { items: updated.length };
    await this.audit.record(tx, { action: DEPOSIT_ACTIONS.find, subject: `deposit ${deposit.id}`, details });
  }
}

/** Two items of one deposit can have named the same payment before it was known: the first one gets it. */
function distinct<T extends { readonly paymentId: number; readonly reversalId: number | null }>(
  found: readonly T[],
): T[] {
  const seen = new Set<string>();
  return found.filter(({ paymentId, reversalId }) => {
    const key = `${paymentId} ${reversalId}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
