import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditTrail } from '../../../audit/index.js';
import { sqlRows, Transactions, violatesUnique } from '../../../database/index.js';
import { DEPOSIT_ACTIONS } from '../audit-actions.js';
import { type LockedDeposit, lockDeposit } from '../deposit-rows.js';
import { InOtherDepositError } from '../errors.js';
import { findItems, GIFT_OF_TRANSACTION, isFreePayment, isFreeReversal } from './find-items.js';
import type { NamedItem } from './named-item.js';

/** The most deposits that one look at a list completes, so that it does not take long. The next look goes on. */
const DEPOSITS_PER_SEARCH = 50;

/**
 * Deposits with items that are in the books by now. Only unknown items are read, each with a look into an index. The conditions are
 * those of {@link findItems}: what it would not accept must not be in the list, where it would take the place of others for ever.
 */
const SELECT_FINDABLE = `
  SELECT DISTINCT i.deposit_id AS id
  FROM deposit_item i JOIN deposit d ON d.id = i.deposit_id
    LEFT JOIN LATERAL ${GIFT_OF_TRANSACTION} named ON true
    CROSS JOIN LATERAL (SELECT id, currency FROM contribution WHERE id = COALESCE(i.payment_id, named.id) LIMIT 1) gift
    LEFT JOIN LATERAL (SELECT reversal_id FROM contribution WHERE id = i.contribution_id LIMIT 1) entry ON true
  WHERE i.amount IS NULL AND i.removed_at IS NULL AND d.reconciled_at IS NULL AND ($1::integer IS NULL OR d.id = $1)
    AND gift.currency = d.currency
    AND CASE WHEN i.is_reversal THEN 1 = (
        SELECT count(DISTINCT r.reversal_id) FROM contribution r
        WHERE r.payment_id = gift.id AND r.payment_id <> r.id AND r.reverses_id IS NOT NULL
          AND (i.refund_id IS NULL OR r.refund_id = i.refund_id)
          AND (entry.reversal_id IS NULL OR r.reversal_id = entry.reversal_id) AND ${isFreeReversal('r.reversal_id')})
      ELSE ${isFreePayment('gift.id')} END
  ORDER BY i.deposit_id LIMIT ${DEPOSITS_PER_SEARCH}`;

const SELECT_UNKNOWN = `
  SELECT id, is_reversal AS "isReversal", contribution_id AS "contributionId", source, transaction_id AS "transactionId",
    user_id AS "userId", refund_id AS "refundId", fee
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

/**
 * Transactions that put payments into deposits run one at a time. Each takes this lock before any other. Without it, two could
 * deadlock: a transaction first stores what it has found, then what it adds, so payments are not locked in one order.
 */
const TAKE_TURN = `SELECT pg_advisory_xact_lock(hashtextextended('payments in deposits', 0))`;

/** How often work is repeated after SQL that takes no turn has put the same gift into another deposit at the same moment. */
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
    for (const { id } of deposits) {
      try {
        await this.attempt((tx) => this.findLocked(tx, id));
      } catch (error) {
        // What was found is in another deposit by now. The next look goes on.
        if (!(error instanceof InOtherDepositError)) throw error;
      }
    }
  }

  /**
   * Runs `work` in a transaction in which it puts payments into deposits, one such transaction at a time.
   * @throws InOtherDepositError if another deposit gets the same gifts again and again.
   */
  async attempt<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    for (let attempts = 1; ; attempts++) {
      try {
        return await this.transactions.run(async (tx) => {
          await sqlRows(tx, TAKE_TURN);
          return work(tx);
        });
      } catch (error) {
        const isTaken =
          violatesUnique(error, 'deposit_item_payment_once') || violatesUnique(error, 'deposit_item_reversal_once');
        if (!isTaken) throw error;
        if (attempts === ATTEMPTS) throw new InOtherDepositError(['An item is in another deposit already']);
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
