import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type Actor, AuditTrail, nameOf } from '../../../audit/index.js';
import { sqlRow, sqlRows } from '../../../database/index.js';
import type { Outcome } from '../../../idempotency/index.js';
import { DEPOSIT_ACTIONS } from '../audit-actions.js';
import { lockDeposit, type LockedDeposit, readDeposit } from '../deposit-rows.js';
import type { DepositView } from '../deposit-view.js';
import { InOtherDepositError, PayoutNotFoundError } from '../errors.js';
import { insertItems, type NewItem } from './add-items.js';
import { LateItems } from './late-items.service.js';
import type { KnownItem } from './named-item.js';
import { SendDeposit } from './send-deposit.service.js';

/** The payout of which a deposit is made. */
export interface DepositPayoutCommand {
  readonly source: string;
  readonly payoutId: string;
  /** The day of the payout; undefined: that of its last gift. */
  readonly date: string | undefined;
  readonly by: Actor;
}

/** How far back a payout reaches that has no payout before it, in days. */
const LONGEST_PERIOD = 92;

const SELECT_LAST_DAY = `
  SELECT max(c.day)::text AS day FROM payment p JOIN contribution c ON c.id = p.id
  WHERE p.payout_id = $2 AND c.source = $1`;

/** A processor may have sent the deposit itself. */
const SELECT_DEPOSIT = `
  SELECT id FROM deposit WHERE source = $1 AND deposit_id = $2 ORDER BY user_id NULLS FIRST LIMIT 1`;

/** SQL for whether an item is in no deposit, and was not removed from this one. Each has its index. $1 is the deposit. */
const isFree = (condition: string): string => `
  NOT EXISTS (SELECT FROM deposit_item held WHERE ${condition} AND held.removed_at IS NULL)
    AND NOT EXISTS (SELECT FROM deposit_item held WHERE ${condition} AND held.deposit_id = $1)`;

/** $1 deposit, $2 source, $3 payout, $4 currency */
const SELECT_PAYMENTS = `
  SELECT p.id AS "paymentId", NULL::integer AS "reversalId", p.amount, p.fee
  FROM payment p JOIN contribution c ON c.id = p.id
  WHERE p.payout_id = $3 AND c.source = $2 AND c.currency = $4 AND ${isFree('held.payment_id = p.id AND NOT held.is_reversal')}
  ORDER BY p.id`;

/**
 * The day of the payout before: that of a deposit of the source, or that of the last gift of another payout.
 * $1 source, $2 payout, $3 day
 */
const SELECT_PREVIOUS_DAY = `
  SELECT GREATEST(max(day), $3::date - ${LONGEST_PERIOD})::text AS day FROM (
    SELECT day FROM deposit WHERE source = $1 AND deposit_id <> $2 AND day < $3::date
    UNION ALL
    SELECT max(c.day) FROM contribution c JOIN payment p ON p.id = c.id
    WHERE c.day >= $3::date - ${LONGEST_PERIOD} AND c.payment_id = c.id AND c.source = $1
      AND p.payout_id <> $2
    GROUP BY p.payout_id HAVING max(c.day) < $3::date
  ) earlier`;

/**
 * What was taken back after the payout before, of payments that are paid out in payouts. What was reinstated is left out:
 * both cancel each other out. $1 deposit, $2 source, $3 currency, $4 after this day, $5 up to this day
 */
const SELECT_REVERSALS = `
  SELECT r.payment_id AS "paymentId", r.reversal_id AS "reversalId", (-sum(r.amount))::text AS amount, NULL AS fee
  FROM contribution r JOIN payment p ON p.id = r.payment_id JOIN contribution c ON c.id = r.payment_id
  WHERE r.day > $4::date AND r.day <= $5::date AND r.reverses_id IS NOT NULL AND p.payout_id IS NOT NULL
    AND c.source = $2 AND c.currency = $3
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
  ) {}

  /**
   * Makes the deposit of a payout, or adds to it what has come since. It has the payments with this source and PayoutId, and
   * what was taken back since the payout before. What another deposit has, or Finance has removed, is left out.
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
      if (items.length > 0) await insertItems(tx, deposit, items.map(newItem), nameOf(command.by));
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
    { source, payoutId, date, by }: DepositPayoutCommand,
  ): Promise<{ readonly isNew: boolean; readonly deposit: LockedDeposit }> {
    const last = await sqlRow<{ day: string | null }>(tx, SELECT_LAST_DAY, [source, payoutId]);
    if (last === undefined || last.day === null) throw new PayoutNotFoundError({ source, payoutId });
    const present = await sqlRow<{ id: number }>(tx, SELECT_DEPOSIT, [source, payoutId]);
    if (present !== undefined) return { isNew: false, deposit: await lockDeposit(tx, present.id) };
    const deposit = { userId: null, source, depositId: payoutId, date: date ?? last.day, amount: null, by };
    return this.sendDeposit.makeUnlessThere(tx, deposit);
  }
}

async function itemsOf(
  tx: EntityManager,
  { id, date, currency }: LockedDeposit,
  { source, payoutId }: DepositPayoutCommand,
): Promise<readonly KnownItem[]> {
  const payments = await sqlRows<KnownItem>(tx, SELECT_PAYMENTS, [id, source, payoutId, currency]);
  const previous = await sqlRow<{ day: string }>(tx, SELECT_PREVIOUS_DAY, [source, payoutId, date]);
  const values = [id, source, currency, previous?.day ?? date, date];
  return [...payments, ...(await sqlRows<KnownItem>(tx, SELECT_REVERSALS, values))];
}

function newItem(known: KnownItem): NewItem {
  const { paymentId, reversalId } = known;
  const isReversal = reversalId !== null;
  const contributionId = reversalId ?? paymentId;
  const named = { isReversal, contributionId, source: null, transactionId: null, refundId: null, fee: null };
  return { named, known, paymentId };
}
