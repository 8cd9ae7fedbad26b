import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { Church } from '../../config/index.js';
import {
  DatabaseClock,
  dryRun,
  TransactionalEvents,
  Transactions,
  violatesForeignKey,
  violatesNotNull,
  violatesUnique,
} from '../../database/index.js';
import { Idempotency, type Outcome, type SentRequest } from '../../idempotency/index.js';
import { FindGiver, type FoundGiver, type Giver } from '../../people/index.js';
import type { AddedContribution } from './added-contribution.js';
import { ContributionTypeNotAllowedError, CurrencyMismatchError } from './errors.js';
import { ContributionRecorded } from '../events/index.js';
import { GiftMetrics } from './gift-metrics.js';
import { giftOfTransaction } from './gift-of-transaction.js';
import { insertGift, type InsertedGift } from './insert-gift.js';
import { BundleTypeNotFoundError } from '../bundles/index.js';
import { FundNotFoundError, NoDefaultFundError } from '../funds/index.js';
import { churchToday, type GiftDate, resolveGiftDate } from '../../values/index.js';
import type { ReviewReason } from '../reviews/index.js';
import { DEFAULT_BUNDLE_TYPE, DEFAULT_CONTRIBUTION_TYPE, REVERSED_TYPE } from '../ledger/index.js';

/** A gift to record. Undefined fields were not sent. */
export interface AddContributionCommand {
  readonly giver: Giver;
  /** Decimal text with two decimals, positive. */
  readonly amount: string;
  /** ISO 4217, in upper case. */
  readonly currency: string | undefined;
  readonly date: GiftDate | undefined;
  readonly notes: string | null;
  readonly source: string | null;
  readonly fundId: number | undefined;
  readonly peopleId: number | undefined;
  readonly ignoreUnknownPerson: boolean;
  readonly bundleTypeId: number | undefined;
  readonly contributionTypeId: number | undefined;
  /** The sender's own id of the gift. If set, `source` is set as well. */
  readonly transactionId: string | null;
  /** The user who adds it. */
  readonly userId: number;
  readonly username: string;
  /** The caller's Idempotency-Key, if it sent one. */
  readonly key: string | undefined;
  readonly sent: SentRequest;
  /** Finds a recorded gift that may be the same as this one. If there is one, this gift is listed for review. */
  readonly findSimilarGift?: (tx: EntityManager) => Promise<number | undefined>;
}

/** The review of a gift. The API does not return it. */
export interface ReviewOfGift {
  /** Why the gift is listed for review; empty if it is not. */
  readonly reviewReasons: readonly ReviewReason[];
  /** The recorded gift of the reason `similar_row`. */
  readonly similarGift: number | undefined;
}

/** The result of a dry run. */
export interface Preview extends ReviewOfGift {
  readonly found: FoundGiver;
  /** The recorded gift that has the same TransactionId; undefined if this gift would be recorded. */
  readonly earlier: AddedContribution | undefined;
  /**
   * The ids of persons and gifts that were created for the `before` of {@link AddContribution.preview}. {@link found}
   * and {@link similarGift} may contain such ids. They no longer exist, because the transaction was rolled back.
   */
  readonly createdBefore: { readonly persons: ReadonlySet<number>; readonly gifts: ReadonlySet<number> };
}

/** A gift as written within the transaction. */
interface AddedGift extends ReviewOfGift {
  readonly contributionId: number;
  readonly found: FoundGiver;
}

/** Finds or creates the giver, opens the bundle if needed, and records the gift, in one transaction. */
@Injectable()
export class AddContribution {
  constructor(
    private readonly church: Church,
    private readonly transactions: Transactions,
    private readonly clock: DatabaseClock,
    private readonly events: TransactionalEvents,
    private readonly findGiver: FindGiver,
    private readonly idempotency: Idempotency,
    private readonly metrics: GiftMetrics,
  ) {}

  /**
   * Records a gift. If the key or the transaction id was used before, nothing is recorded, and the result is the first
   * answer. If it throws, nothing is stored.
   * @throws PersonNotFoundError, UnknownPersonError, FundNotFoundError, NoDefaultFundError, BundleTypeNotFoundError,
   * ContributionTypeNotAllowedError, CurrencyMismatchError, TransactionIdReusedError, ContributionAlreadyReversedError,
   * and the errors of {@link Idempotency.once}.
   */
  async record(command: AddContributionCommand): Promise<Outcome<AddedContribution> & ReviewOfGift> {
    const { userId, key, sent } = command;
    const call = { userId, operation: 'AddContribution', key, sent } as const;
    const recorded = await this.withTypedErrors(command, () =>
      this.transactions.run(async (tx) => {
        let review = NO_REVIEW;
        const outcome = await this.idempotency.once(tx, call, async () => {
          const { added, ...answer } = await this.addUnlessRecorded(tx, command);
          if (added !== undefined) review = added;
          return answer;
        });
        const { reviewReasons, similarGift } = review;
        return { ...outcome, reviewReasons, similarGift };
      }),
    );
    if (!recorded.replayed) this.metrics.recorded(command, recorded.answer);
    return recorded;
  }

  /**
   * Does the same as {@link record}, with the same errors, in a transaction that is rolled back (ADR 27). It ignores
   * the Idempotency-Key.
   * @param before gifts that would be recorded before this one. They are added in the same transaction, so that this
   * gift can find the persons that they create.
   */
  async preview(command: AddContributionCommand, before: readonly AddContributionCommand[] = []): Promise<Preview> {
    return this.withTypedErrors(command, () =>
      dryRun(this.transactions, async (tx) => {
        const createdBefore = { persons: new Set<number>(), gifts: new Set<number>() };
        for (const each of before) {
          const { contributionId, found } = await this.add(tx, each);
          createdBefore.gifts.add(contributionId);
          if (found.by === 'created') createdBefore.persons.add(found.peopleId);
        }
        const earlier = await giftOfTransaction(tx, command, this.church.timeZone);
        const { found, reviewReasons, similarGift } =
          earlier === undefined ? await this.add(tx, command) : { ...NO_REVIEW, found: giverOfEarlier(earlier) };
        return { found, earlier, reviewReasons, similarGift, createdBefore };
      }),
    );
  }

  /**
   * Runs `attempt`, which is one transaction, and turns violated constraints into typed errors. It runs `attempt` again
   * if a concurrent call has recorded the same transaction id.
   */
  private async withTypedErrors<T>(command: AddContributionCommand, attempt: () => Promise<T>): Promise<T> {
    if (command.contributionTypeId === REVERSED_TYPE) throw new ContributionTypeNotAllowedError(REVERSED_TYPE);
    try {
      return await attempt();
    } catch (error) {
      // The other call has committed, so the next attempt finds its gift and returns the first answer.
      if (violatesUnique(error, 'contribution_transaction_once')) return this.withTypedErrors(command, attempt);
      throw toTypedError(error, command);
    }
  }

  private async addUnlessRecorded(
    tx: EntityManager,
    command: AddContributionCommand,
  ): Promise<Outcome<AddedContribution> & { readonly added: AddedGift | undefined }> {
    const earlier = await giftOfTransaction(tx, command, this.church.timeZone);
    if (earlier !== undefined) return { answer: earlier, replayed: true, added: undefined };
    const added = await this.add(tx, command);
    const { contributionId, found } = added;
    const answer = {
      contributionId,
      peopleId: found.peopleId,
      newPerson: found.by === 'created',
      multipleMatches: found.otherMatches.length > 0,
      source: command.source,
    };
    return { answer, replayed: false, added };
  }

  private async add(tx: EntityManager, command: AddContributionCommand): Promise<AddedGift> {
    const { peopleId, giver, currency } = command;
    // The currency is checked only now, after the search for an earlier call with the same key or transaction id. Older
    // versions ignored Currency and recorded such gifts. A repeated call for one of them must get its first answer.
    if (currency !== undefined && currency !== this.church.currency) {
      throw new CurrencyMismatchError(currency, this.church.currency);
    }
    const similarGift = await command.findSimilarGift?.(tx);
    const found =
      peopleId === undefined
        ? await this.findGiver.byDetails(tx, giver, !command.ignoreUnknownPerson)
        : await this.findGiver.byId(tx, peopleId, giver);
    const gift = await this.insert(tx, command, { found, similarGift });
    return { contributionId: gift.id, reviewReasons: gift.reasons, similarGift, found };
  }

  private async insert(
    tx: EntityManager,
    command: AddContributionCommand,
    { found, similarGift }: Pick<AddedGift, 'found' | 'similarGift'>,
  ): Promise<InsertedGift> {
    const now = this.clock.now();
    const today = churchToday(now, this.church.timeZone);
    const given =
      command.date === undefined ? { instant: now, day: today } : resolveGiftDate(command.date, this.church.timeZone);
    const { currency } = this.church;
    const { userId, bundleTypeId = DEFAULT_BUNDLE_TYPE, contributionTypeId = DEFAULT_CONTRIBUTION_TYPE } = command;
    const placement = { found, similarGift, given, today, userId, bundleTypeId, currency, contributionTypeId };
    const gift = await insertGift(tx, command, placement);
    const { first, last } = command.giver;
    const recorded = new ContributionRecorded({
      eventId: randomUUID(),
      contributionId: gift.id,
      giver: { peopleId: found.peopleId, first, last },
      amount: command.amount,
      currency,
      fund: { id: gift.fund_id, name: gift.fund_name ?? '' },
      day: given.day,
      source: command.source,
      username: command.username,
      recordedAt: gift.created_at.toISOString(),
    });
    await this.events.publish(recorded, tx);
    return gift;
  }
}

const NO_REVIEW: ReviewOfGift = { reviewReasons: [], similarGift: undefined };

/** The giver of a gift that is already recorded. No person is matched or created for a repeated gift. */
function giverOfEarlier({ peopleId }: AddedContribution): FoundGiver {
  return { peopleId, by: 'id', matchedOn: [], otherMatches: [], doubts: [], similarPersons: [] };
}

/**
 * Turns a violated constraint into a typed error. Whether the fund, the bundle type and the contribution type exist is
 * not checked before the insert: the foreign keys check it, and the name of the violated key shows which id was
 * invalid.
 */
function toTypedError(error: unknown, command: AddContributionCommand): unknown {
  if (violatesForeignKey(error, 'contribution_fund_fkey')) return new FundNotFoundError(command.fundId ?? 0);
  if (violatesNotNull(error, 'fund_id')) return new NoDefaultFundError();
  if (violatesForeignKey(error, 'bundle_type_fkey')) return new BundleTypeNotFoundError(command.bundleTypeId ?? 0);
  if (violatesForeignKey(error, 'contribution_type_fkey')) {
    return new ContributionTypeNotAllowedError(command.contributionTypeId ?? 0);
  }
  return error;
}
