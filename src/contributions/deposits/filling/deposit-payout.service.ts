import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type Actor, AuditTrail, nameOf } from '../../../audit/index.js';
import { Church } from '../../../config/index.js';
import { sqlRow, sqlRows } from '../../../database/index.js';
import type { Outcome } from '../../../idempotency/index.js';
import { DEPOSIT_ACTIONS } from '../audit-actions.js';
import { depositOfPayout } from '../deposit-of-payout.js';
import { lockDeposit, type LockedDeposit, readDeposit } from '../deposit-rows.js';
import type { DepositView } from '../deposit-view.js';
import { InOtherDepositError, PayoutNotFoundError } from '../errors.js';
import type { NewItem } from './items-there.js';
import { LateItems } from './late-items.service.js';
import type { KnownItem } from './named-item.js';
import { SendDeposit } from './send-deposit.service.js';
import { insertItems } from './store-items.js';

/** The payout of which a deposit is made. */
export interface DepositPayoutCommand {
  readonly source: string;
  readonly payoutId: string;
  /** The day of the payout; undefined: that of its last gift. */
  readonly date: string | undefined;
  /** Undefined: the church's, or if it has no gift in it, that of its last gift. */
  readonly currency: string | undefined;
  readonly by: Actor;
}

/** How far back a payout reaches that has no payout before it, in days. */
const LONGEST_PERIOD = 92;

/** The gifts of a payout in one currency. $1 source, $2 payout, $3 currency or null, $4 the church's currency */
const SELECT_GIFTS = `
  SELECT c.currency, max(c.day)::text AS "lastDay" FROM payment p JOIN contribution c ON c.id = p.id
  WHERE p.payout_id = $2 AND c.source = $1 AND ($3::text IS NULL OR c.currency = $3)
  GROUP BY c.currency ORDER BY c.currency = $4 DESC, max(c.day) DESC, c.currency LIMIT 1`;

/** A processor may have sent the deposit itself. $1 source, $2 payout, $3 currency */
const SELECT_DEPOSIT = `SELECT ${depositOfPayout({ source: '$1', payoutId: '$2', currency: '$3' })} AS id`;

/** SQL for whether a row may get into the deposit: of a processor, only its own gifts do. */
const isOwn = (userId: string, processor: string): string =>
  `(${processor}::integer IS NULL OR ${userId} = ${processor})`;

/** SQL for whether an item is in no deposit, and was not removed from this one. Each has its index. $1 is the deposit. */
const isFree = (condition: string): string => `
  NOT EXISTS (SELECT FROM deposit_item held WHERE ${condition} AND held.removed_at IS NULL)
    AND NOT EXISTS (SELECT FROM deposit_item held WHERE ${condition} AND held.deposit_id = $1)`;

/** $1 deposit, $2 source, $3 payout, $4 currency, $5 the processor of the deposit or null */
const SELECT_PAYMENTS = `
  SELECT p.id AS "paymentId", NULL::integer AS "reversalId", p.amount, p.fee
  FROM payment p JOIN contribution c ON c.id = p.id
  WHERE p.payout_id = $3 AND c.source = $2 AND c.currency = $4 AND ${isOwn('c.added_by', '$5')}
    AND ${isFree('held.payment_id = p.id AND NOT held.is_reversal')}
  ORDER BY p.id`;

/**
 * The day of the payout before: that of a deposit of the source, or that of the last gift of another payout.
 * $1 source, $2 payout, $3 day, $4 the processor of the deposit or null
 */
const SELECT_PREVIOUS_DAY = `
  SELECT GREATEST(max(day), $3::date - ${LONGEST_PERIOD})::text AS day FROM (
    SELECT day FROM deposit WHERE source = $1 AND deposit_id <> $2 AND day < $3::date
      AND (user_id IS NULL OR ${isOwn('user_id', '$4')})
    UNION ALL
    SELECT max(c.day) FROM contribution c JOIN payment p ON p.id = c.id
    WHERE c.day >= $3::date - ${LONGEST_PERIOD} AND c.payment_id = c.id AND c.source = $1
      AND p.payout_id <> $2 AND ${isOwn('c.added_by', '$4')}
    GROUP BY p.payout_id HAVING max(c.day) < $3::date
  ) earlier`;

/**
 * What was taken back after the payout before, of payments that are paid out in payouts. What was reinstated is left out:
 * both cancel each other out. $1 deposit, $2 source, $3 currency, $4 after this day, $5 up to this day,
 * $6 the processor of the deposit or null
 */
const SELECT_REVERSALS = `
  SELECT r.payment_id AS "paymentId", r.reversal_id AS "reversalId", (-sum(r.amount))::text AS amount, NULL AS fee
  FROM contribution r JOIN payment p ON p.id = r.payment_id JOIN contribution c ON c.id = r.payment_id
  WHERE r.day > $4::date AND r.day <= $5::date AND r.reverses_id IS NOT NULL AND p.payout_id IS NOT NULL
    AND c.source = $2 AND c.currency = $3 AND ${isOwn('c.added_by', '$6')}
    AND NOT EXISTS (SELECT FROM contribution back WHERE back.reinstates_id = r.id)
    AND ${isFree('held.reversal_id = r.reversal_id')}
  GROUP BY r.payment_id, r.reversal_id ORDER BY r.reversal_id`;

/** Makes a deposit of the gifts that name a payout. */
@Injectable()
export class DepositPayout {
  constructor(
    private readonly sendDeposit: SendDeposit,
    private readonly lateItems: LateItems,
    private readonly audit: AuditTrail,
    private readonly church: Church,
  ) {}

  /**
   * Makes the deposit of a payout, or adds to it what has come since. It has the payments with this source and PayoutId, and
   * what was taken back since the payout before, all in one currency. What another deposit has, or Finance has removed, is left out. The deposit of a
   * processor gets only gifts of this processor.
   * @throws PayoutNotFoundError, InOtherDepositError if other deposits have all of it, DepositReconciledError if there is
   * something to add.
   */
  async make(command: DepositPayoutCommand): Promise<Outcome<DepositView>> {
    return this.lateItems.attempt(async (tx) => {
      const { isNew, deposit } = await this.depositOf(tx, command);
      await this.lateItems.findIn(tx, deposit);
      const items = await itemsOf(tx, deposit, command);
      if (isNew && !items.some(({ reversalId }) => reversalId === null))
        throw new InOtherDepositError([`All gifts of the payout ${command.payoutId} are in other deposits already`]);
      if (items.length > 0)
        await insertItems(tx, deposit, items.map(newItem), { by: nameOf(command.by), processorId: null });
      if (isNew || items.length > 0) {
        await this.audit.record(tx, {
          action: DEPOSIT_ACTIONS.add,
          subject: `deposit ${deposit.id}`,
          details: { items: items.length },
          by: command.by,
        });
      }
      return { answer: await readDeposit(tx, deposit.id), replayed: !isNew && items.length === 0 };
    });
  }

  private async depositOf(
    tx: EntityManager,
    { source, payoutId, date, currency: wanted, by }: DepositPayoutCommand,
  ): Promise<{ readonly isNew: boolean; readonly deposit: LockedDeposit }> {
    const values = [source, payoutId, wanted, this.church.currency];
    const gifts = await sqlRow<{ currency: string; lastDay: string }>(tx, SELECT_GIFTS, values);
    if (gifts === undefined) throw new PayoutNotFoundError({ source, payoutId, currency: wanted });
    const { currency, lastDay } = gifts;
    const present = await sqlRow<{ id: number | null }>(tx, SELECT_DEPOSIT, [source, payoutId, currency]);
    if (typeof present?.id === 'number') return { isNew: false, deposit: await lockDeposit(tx, present.id) };
    const deposit = { userId: null, source, depositId: payoutId, date: date ?? lastDay, amount: null, currency, by };
    return this.sendDeposit.makeUnlessThere(tx, deposit);
  }
}

async function itemsOf(
  tx: EntityManager,
  { id, userId, date, currency }: LockedDeposit,
  { source, payoutId }: DepositPayoutCommand,
): Promise<readonly KnownItem[]> {
  const payments = await sqlRows<KnownItem>(tx, SELECT_PAYMENTS, [id, source, payoutId, currency, userId]);
  const previous = await sqlRow<{ day: string }>(tx, SELECT_PREVIOUS_DAY, [source, payoutId, date, userId]);
  const values = [id, source, currency, previous?.day ?? date, date, userId];
  return [...payments, ...(await sqlRows<KnownItem>(tx, SELECT_REVERSALS, values))];
}

function newItem(known: KnownItem): NewItem {
  const { paymentId, reversalId } = known;
  const isReversal = reversalId !== null;
  const contributionId = reversalId ?? paymentId;
  const named = {
    isReversal,
    contributionId,
    source: null,
    transactionId: null,
    userId: null,
    refundId: null,
    fee: null,
  };
  return { named, known, paymentId };
}
