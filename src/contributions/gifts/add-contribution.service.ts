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

/** A gift to record. What is undefined was not sent. */
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
  /** The sender's own id of the gift, which comes with a source. */
  readonly transactionId: string | null;
  /** The user that adds it. */
  readonly userId: number;
  readonly username: string;
  /** The caller's Idempotency-Key, if it sent one. */
  readonly key: string | undefined;
  readonly sent: SentRequest;
  /** Finds a recorded gift that this one may be. It is listed for review then. */
  readonly findSimilarGift?: (tx: EntityManager) => Promise<number | undefined>;
}

/** How a gift was recorded: its review, of which the caller of the API learns nothing. */
export interface ReviewOfGift {
  /** Why it is listed for review; empty where it is not. */
  readonly reviewReasons: readonly ReviewReason[];
  /** The recorded gift of the reason `similar_row`. */
  readonly similarGift: number | undefined;
}

/** The result of a dry run. */
export interface Preview extends ReviewOfGift {
  readonly found: FoundGiver;
  /** The gift that this would be answered with, because it came before; undefined for one that would be recorded. */
  readonly earlier: AddedContribution | undefined;
  /** Those of `before` that {@link found} and {@link similarGift} may name: nobody can look them up. */
  readonly madeBefore: { readonly persons: ReadonlySet<number>; readonly gifts: ReadonlySet<number> };
}

/** A gift in the transaction that writes it. */
interface AddedGift extends ReviewOfGift {
  readonly contributionId: number;
  readonly found: FoundGiver;
}

/** Records a gift: its giver, found or created, its bundle, and itself, in one transaction. */
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
   * A gift with a key or a transaction id that came before is answered as the first time.
   * @throws PersonNotFoundError, UnknownPersonError, FundNotFoundError, BundleTypeNotFoundError,
   * ContributionTypeNotAllowedError, CurrencyMismatchError, TransactionIdReusedError, ContributionAlreadyReversedError, and what
   * {@link Idempotency.once} throws; nothing is stored then.
   */
  async record(command: AddContributionCommand): Promise<Outcome<AddedContribution> & ReviewOfGift> {
    const { userId, key, sent } = command;
    const call = { userId, operation: 'AddContribution', key, sent } as const;
    const recorded = await this.settled(command, () =>
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
   * What {@link record} would find, with the same errors: it does the same as a dry run, of which nothing remains (ADR 27).
   * A key is not looked at.
   * @param before gifts that would have been recorded by then.
   */
  async preview(command: AddContributionCommand, before: readonly AddContributionCommand[] = []): Promise<Preview> {
    return this.settled(command, () =>
      dryRun(this.transactions, async (tx) => {
        const madeBefore = { persons: new Set<number>(), gifts: new Set<number>() };
        for (const each of before) {
          const { contributionId, found } = await this.add(tx, each);
          madeBefore.gifts.add(contributionId);
          if (found.by === 'created') madeBefore.persons.add(found.peopleId);
        }
        const earlier = await giftOfTransaction(tx, command, this.church.timeZone);
        const { found, reviewReasons, similarGift } =
          earlier === undefined ? await this.add(tx, command) : { ...NO_REVIEW, found: foundBefore(earlier) };
        return { found, earlier, reviewReasons, similarGift, madeBefore };
      }),
    );
  }

  /** The result of `attempt`, which is one transaction; its violations of constraints become typed errors. */
  private async settled<T>(command: AddContributionCommand, attempt: () => Promise<T>): Promise<T> {
    if (command.contributionTypeId === REVERSED_TYPE) throw new ContributionTypeNotAllowedError(REVERSED_TYPE);
    try {
      return await attempt();
    } catch (error) {
      // The twin that was waited for has committed: now its gift is found.
      if (violatesUnique(error, 'contribution_transaction_once')) return this.settled(command, attempt);
      throw asNotFound(error, command);
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
    // Not before a stored call was looked for: programs that did not read Currency have recorded such gifts.
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

/** A gift that would be answered as the first time: nobody is matched or created for it. */
function foundBefore({ peopleId }: AddedContribution): FoundGiver {
  return { peopleId, by: 'id', matchedOn: [], otherMatches: [], doubts: [], similarPersons: [] };
}

/** Ids of reference data are not looked up first: the foreign key decides, and its name tells which one it was. */
function asNotFound(error: unknown, command: AddContributionCommand): unknown {
  if (violatesForeignKey(error, 'contribution_fund_fkey')) return new FundNotFoundError(command.fundId ?? 0);
  if (violatesNotNull(error, 'fund_id')) return new NoDefaultFundError();
  if (violatesForeignKey(error, 'bundle_type_fkey')) return new BundleTypeNotFoundError(command.bundleTypeId ?? 0);
  if (violatesForeignKey(error, 'contribution_type_fkey')) {
    return new ContributionTypeNotAllowedError(command.contributionTypeId ?? 0);
  }
  return error;
}
