import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { AuditTrail } from '../../audit/index.js';
import { actorOf, type Caller } from '../../auth/index.js';
import { Church } from '../../config/index.js';
import { DatabaseClock, dryRun, TransactionalEvents, Transactions } from '../../database/index.js';
import { Idempotency, type KeyedOperation, type Outcome, type SentRequest } from '../../idempotency/index.js';
import { churchToday, displayAmount, type StoredAmount } from '../../values/index.js';
import type { ReversalReason } from '../events/index.js';
import { alreadyReversed, GiftMetrics } from '../gifts/index.js';
import { closeReviewsOfReversed } from '../reviews/index.js';
import { REVERSAL_ACTIONS } from './audit-actions.js';
import { ReversalExceedsGiftError } from './errors.js';
import { assertAsSeen, leftOf } from './taking/as-seen.js';
import { assertDecimals } from './taking/decimals-of-gift.js';
import { assertReversible, contributionOf, type PaymentName, paymentOf } from './taking/named-payment.js';
import { giftsOfFund } from './taking/gifts-of-fund.js';
import { insertReversingEntries, type ReversedGift, type ReversingEntry } from './taking/insert-reversing-entries.js';
import { type GiftRow, hasLeft, lockGifts, lockPayment } from './taking/payment-rows.js';
import { refundOnce } from './taking/refunds.js';
import { reversedEvent } from './taking/reversed-event.js';
import { missingTo, NOTHING, takeFrom } from './taking/take-from.js';

/** What to take back from a payment. */
export interface ReverseContributionCommand {
  readonly payment: PaymentName;
  /** The source in the path; null if Finance reverses. */
  readonly source: string | null;
  /** Positive; undefined: all that is left. */
  readonly amount?: StoredAmount | undefined;
  /**
   * In place of `amount`: how much is reversed of the payment in all, after this call. If that much is reversed already,
   * nothing is, and the answer counts as replayed.
   */
  readonly reversedTotal?: StoredAmount | undefined;
  /** What was left of the payment when the caller saw it; undefined: any. */
  readonly left?: StoredAmount | undefined;
  readonly reason?: ReversalReason | undefined;
  /** Takes back only what is left in this fund. */
  readonly fundId?: number | undefined;
  /**
   * In place of `fundId`: takes back only the parts that were given to this fund, wherever they are now; or else what is in
   * it now. A processor does not know where Finance has moved a gift.
   */
  readonly givenToFund?: number | undefined;
  /** The sender's own id of the refund. If set, `source` is set as well. */
  readonly refundId?: string | undefined;
  readonly notes?: string | undefined;
  /** The user who makes the call. */
  readonly user: Pick<Caller, 'userId' | 'username' | 'token' | 'session'>;
  readonly operation: KeyedOperation;
  /** The caller's Idempotency-Key, if it sent one. */
  readonly key: string | undefined;
  readonly sent: SentRequest;
}

/** A reversed payment. */
export interface ReversedContribution {
  /** The id that named it, or its first part if a transaction id did. */
  readonly contributionId: number;
  readonly peopleId: number;
  readonly source: string | null;
}

/** Takes back a payment or a part of it in one transaction: reversing entries, the event, and the notice to Finance. */
@Injectable()
export class ReverseContribution {
  constructor(
    private readonly church: Church,
    private readonly transactions: Transactions,
    private readonly clock: DatabaseClock,
    private readonly events: TransactionalEvents,
    private readonly idempotency: Idempotency,
    private readonly metrics: GiftMetrics,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Reverses what is left of a payment, or the given amount of it. If the key or the refund id was used before, nothing
   * is reversed, and the result is the first answer. If it throws, nothing is stored.
   * @throws ContributionNotFoundError, TransactionNotFoundError, ContributionAlreadyReversedError,
   * ReversalExceedsGiftError, FundNotOfPaymentError, GiftChangedError, ContributionNotReversibleError, RefundIdReusedError, and the errors of
   * {@link Idempotency.once}.
   */
  async reverse(command: ReverseContributionCommand): Promise<Outcome<ReversedContribution>> {
    const { user, operation, key, sent } = command;
    const call = { userId: user.userId, operation, key, sent };
    let reversed: readonly ReversedGift[] = [];
    const outcome = await this.transactions.run((tx) =>
      this.idempotency.once(tx, call, async () => {
        const { gifts, ...first } = await this.reverseOnce(tx, command);
        reversed = gifts;
        return first;
      }),
    );
    // Counted after the commit. A replayed answer has reversed nothing.
    if (!outcome.replayed) for (const gift of reversed) this.metrics.reversed(gift);
    return outcome;
  }

  /** Does the same as {@link reverse}, with the same errors, in a transaction that is rolled back. It ignores the key. */
  async preview(command: ReverseContributionCommand): Promise<Outcome<ReversedContribution>> {
    return dryRun(this.transactions, (tx) => this.reverseOnce(tx, command));
  }

  private async reverseOnce(
    tx: EntityManager,
    command: ReverseContributionCommand,
  ): Promise<Outcome<ReversedContribution> & { readonly gifts: readonly ReversedGift[] }> {
    const contributionId = await contributionOf(tx, command);
    let gifts: readonly ReversedGift[] = [];
    const outcome = await this.unlessRefunded(tx, command, contributionId, async () => {
      const reversed = await this.reverseIn(tx, command, contributionId);
      gifts = reversed.gifts;
      const answer = { contributionId, peopleId: reversed.peopleId, source: command.source };
      return { answer, replayed: reversed.gifts.length === 0 };
    });
    return { ...outcome, gifts };
  }

  /** Runs `work`, or returns the first answer to the refund id. */
  private async unlessRefunded<T extends object>(
    tx: EntityManager,
    { refundId, source, amount, reason, givenToFund, fundId = givenToFund, user }: ReverseContributionCommand,
    contributionId: number,
    work: () => Promise<Outcome<T>>,
  ): Promise<Outcome<T>> {
    if (refundId === undefined || source === null) return work();
    const content = { paymentId: await paymentOf(tx, contributionId), amount, reason, fundId };
    return refundOnce(tx, { userId: user.userId, source, refundId, content }, work);
  }

  private async reverseIn(
    tx: EntityManager,
    command: ReverseContributionCommand,
    contributionId: number,
  ): Promise<{ readonly gifts: readonly ReversedGift[]; readonly peopleId: number }> {
    const { user, source, reason = null, refundId = null, notes = null } = command;
    const payment = await lockPayment(tx, contributionId);
    assertReversible(payment.reversesId, contributionId);
    const before = await lockGifts(tx, payment);
    const amount = command.reversedTotal === undefined ? command.amount : missingTo(command.reversedTotal, before);
    if (amount === NOTHING) return { gifts: [], peopleId: before[0]?.person_id ?? 0 };
    const reversed = await this.choose(tx, { ...command, amount }, contributionId, before);
    const now = this.clock.now();
    const today = churchToday(now, this.church.timeZone);
    const reversal = { now, today, source, userId: user.userId, reason, refundId, notes };
    const entries = await insertReversingEntries(tx, reversed, reversal);
    await this.record(tx, command, contributionId, entries);
    const contributionIds = reversed.filter(({ taken, left }) => taken === left).map(({ id }) => id);
    const isWhole = before.filter(hasLeft).every(({ id }) => contributionIds.includes(id));
    const settledIds = isWhole ? before.map(({ id }) => id) : contributionIds.filter((id) => id !== payment.paymentId);
    await closeReviewsOfReversed(tx, this.audit, { contributionIds, settledIds, by: actorOf(user) });
    const isWanted = entries.some((entry) => entry.isWanted);
    await this.events.publish(reversedEvent({ command, payment, before, entries }), tx, { isWanted });
    return { gifts: reversed, peopleId: reversed[0].person_id };
  }

  /** Decides how much is taken from which gifts. @throws ContributionAlreadyReversedError, GiftChangedError, InvalidRequestError, ReversalExceedsGiftError, FundNotOfPaymentError */
  private async choose(
    tx: EntityManager,
    { amount, fundId, givenToFund, left: seen, operation }: ReverseContributionCommand,
    contributionId: number,
    gifts: readonly GiftRow[],
  ): Promise<readonly [ReversedGift, ...ReversedGift[]]> {
    const left = gifts.filter(hasLeft);
    const [first] = left;
    if (first === undefined) throw await alreadyReversed(tx, contributionId, this.church.timeZone);
    const { currency } = first;
    assertAsSeen(contributionId, left, { left: seen });
    if (amount !== undefined) assertDecimals(amount, currency, operation === 'ReverseAsFinance' ? 'Amount' : 'amount');
    const ofFund = givenToFund === undefined ? gifts : giftsOfFund(givenToFund, contributionId, gifts);
    const eligible = ofFund.filter((gift) => hasLeft(gift) && (fundId === undefined || gift.fund_id === fundId));
    if (givenToFund !== undefined && eligible.length === 0 && amount === undefined)
      throw await alreadyReversed(tx, contributionId, this.church.timeZone);
    const [taken, ...others] = takeFrom(eligible, amount) ?? [];
    if (taken !== undefined) return [taken, ...others];
    const inWords = `${currency} ${displayAmount(leftOf(eligible), currency)}`;
    throw new ReversalExceedsGiftError({ contributionId, fundId: fundId ?? givenToFund, left: inWords });
  }

  private async record(
    tx: EntityManager,
    { user }: ReverseContributionCommand,
    contributionId: number,
    entries: readonly ReversingEntry[],
  ): Promise<void> {
    const [first, ...others] = entries.map(({ id }) => id);
    await this.audit.record(tx, {
      action: REVERSAL_ACTIONS.reverse,
      subject: `contribution ${contributionId}`,
      details: {
        ...(first !== undefined && { reversingContributionId: first }),
        ...(others.length > 0 && { otherReversingContributionIds: others }),
        ...(user.token !== undefined && { token: user.token.id }),
      },
      by: actorOf(user),
    });
  }
}
