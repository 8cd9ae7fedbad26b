import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditTrail } from '../../../audit/index.js';
import { actorOf } from '../../../auth/index.js';
import { Church } from '../../../config/index.js';
import { DatabaseClock, sqlRows, Transactions, violatesForeignKey } from '../../../database/index.js';
import { closeReviewsOfMoved } from '../../reviews/index.js';
import { FundNotFoundError } from '../../funds/index.js';
import { Idempotency, type Outcome } from '../../../idempotency/index.js';
import { churchToday, displayAmount, fromCents, toCents } from '../../../values/index.js';
import { REVERSAL_ACTIONS } from '../audit-actions.js';
import type { Correction } from './correction.js';
import type { MovedContribution } from './corrections.answers.js';
import { NotMovableError } from '../errors.js';
import { assertAsSeen, type SeenPayment } from '../taking/as-seen.js';
import { type GiftRow, hasLeft, lockGifts, lockPayment } from '../taking/payment-rows.js';

/** What is left of a payment, and the fund that it was meant for. */
export interface MoveContributionCommand extends Correction {
  readonly fundId: number;
  /** What the caller has seen of the payment. */
  readonly seen?: SeenPayment;
  /** Free text, stored with the entries. */
  readonly reason: string;
}

/** $1 gifts, $2 amounts, $3 the funds that they leave, $4 bundle types, $5 fund, $6 user, $7 now, $8 today, $9 reason */
const INSERT_MOVES = `
  INSERT INTO contribution (person_id, amount, currency, fund_id, contribution_type_id, moves_id, given_at, day,
    bundle_id, source, notes, created_by)
  SELECT gift.person_id, entry.amount, gift.currency, entry.fund_id, gift.contribution_type_id, gift.id, $7, $8,
    open_bundle(moved.bundle_type_id, $6, $8), gift.source, $9, $6
  FROM unnest($1::integer[], $2::numeric[], $3::integer[], $4::integer[]) AS moved (gift_id, amount, fund_id, bundle_type_id)
    JOIN contribution gift ON gift.id = moved.gift_id
    CROSS JOIN LATERAL (VALUES (-moved.amount, moved.fund_id), (moved.amount, $5::integer)) AS entry (amount, fund_id)
  ORDER BY gift.id, entry.amount
  RETURNING id`;

/** Moves what is left of a payment to another fund, without changing what is in the books already. */
@Injectable()
export class MoveContribution {
  constructor(
    private readonly church: Church,
    private readonly transactions: Transactions,
    private readonly clock: DatabaseClock,
    private readonly idempotency: Idempotency,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Adds two entries for each gift of the payment that is not in the fund yet: what is left of it with a minus in its
   * fund, and the same amount in the new one. Both are in today's bundle. Finance gets no mail. A review that waits only because the
   * fund is closed is closed.
   * @throws ContributionNotFoundError, FundNotFoundError, NotMovableError, GiftChangedError, and the errors of {@link Idempotency.once}.
   */
  async move(command: MoveContributionCommand): Promise<Outcome<MovedContribution>> {
    const { user, key, sent, fundId } = command;
    const call = { userId: user.userId, operation: 'MoveContribution', key, sent } as const;
    try {
      return await this.transactions.run((tx) =>
        this.idempotency.once(tx, call, async () => ({ answer: await this.moveIn(tx, command), replayed: false })),
      );
    } catch (error) {
      throw violatesForeignKey(error, 'contribution_fund_fkey') ? new FundNotFoundError(fundId) : error;
    }
  }

  private async moveIn(tx: EntityManager, command: MoveContributionCommand): Promise<MovedContribution> {
    const { contributionId, fundId, user, seen = {} } = command;
    const payment = await lockPayment(tx, contributionId);
    const gifts = payment.reversesId === null ? await lockGifts(tx, payment) : [];
    const left = gifts.filter(hasLeft);
    const moved = left.filter((gift) => gift.fund_id !== fundId);
    if (moved.length === 0) throw new NotMovableError({ contributionId, fundId });
    assertAsSeen(contributionId, left, seen);
    const contributionIds = await this.insert(tx, command, moved);
    await this.audit.record(tx, {
      action: REVERSAL_ACTIONS.move,
      subject: `contribution ${payment.paymentId}`,
      details: {
        ...amountOf(moved),
        fromFundIds: [...new Set(moved.map(({ fund_id }) => fund_id))],
        toFundId: fundId,
        contributionIds,
      },
      by: actorOf(user),
    });
    await closeReviewsOfMoved(tx, this.audit, { contributionIds: moved.map(({ id }) => id), by: actorOf(user) });
    return { contributionIds };
  }

  private async insert(
    tx: EntityManager,
    { fundId, reason, user }: MoveContributionCommand,
    moved: readonly GiftRow[],
  ): Promise<number[]> {
    const now = this.clock.now();
    const rows = await sqlRows<{ id: number }>(tx, INSERT_MOVES, [
      moved.map(({ id }) => id),
      moved.map(({ left }) => left),
      moved.map(({ fund_id }) => fund_id),
      moved.map(({ bundle_type_id }) => bundle_type_id),
      fundId,
      user.userId,
      now,
      churchToday(now, this.church.timeZone),
      reason,
    ]);
    return rows.map(({ id }) => id);
  }
}

/** What is moved in all. The gifts of a payment have one currency. */
function amountOf(moved: readonly GiftRow[]): { readonly amount: string; readonly currency: string } {
  const [{ currency } = { currency: '' }] = moved;
  const cents = moved.reduce((sum, { left }) => sum + toCents(left), 0n);
  return { amount: displayAmount(fromCents(cents), currency), currency };
}
