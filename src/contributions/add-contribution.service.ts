import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { Church } from '../config/index.js';
import {
  DatabaseClock,
  dryRun,
  TransactionalEvents,
  Transactions,
  violatesForeignKey,
  violatesNotNull,
  violatesUnique,
} from '../database/index.js';
import { FirstAnswers, type Outcome } from '../idempotency/index.js';
import { FindGiver, type FoundGiver, type Giver } from '../people/index.js';
import type { AddedContribution } from './added-contribution.js';
import {
  BundleTypeNotFoundError,
  ContributionTypeNotAllowedError,
  FundNotFoundError,
  NoDefaultFundError,
} from './errors.js';
import { ContributionRecorded } from './events/index.js';
import { churchToday, type GiftDate, resolveGiftDate } from './gift-date.js';
import { GiftFigures } from './gift-figures.js';
import { giftOfTransaction } from './gift-of-transaction.js';
import { insertGift } from './insert-gift.js';
import { DEFAULT_BUNDLE_TYPE, DEFAULT_CONTRIBUTION_TYPE, REVERSED_TYPE } from './reference-data.js';

/** A gift to record. What is undefined was not sent. */
export interface AddContributionCommand {
  readonly giver: Giver;
  /** Decimal text with two decimals, positive. */
  readonly amount: string;
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
  /** `requestDigest` of what the caller sent; most calls need none. */
  readonly digest: () => Buffer;
}

/** What a gift would come to. */
export interface Preview {
  readonly found: FoundGiver;
  /** The gift that this would be answered with, because it came before; undefined for one that would be recorded. */
  readonly earlier: AddedContribution | undefined;
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
    private readonly firstAnswers: FirstAnswers,
    private readonly figures: GiftFigures,
  ) {}

  /**
   * A gift with a key or a transaction id that came before is answered as the first time.
   * @throws PersonNotFoundError, UnknownPersonError, FundNotFoundError, BundleTypeNotFoundError,
   * ContributionTypeNotAllowedError, TransactionIdReusedError, ContributionAlreadyReversedError, and what
   * {@link FirstAnswers.once} throws; nothing is stored then.
   */
  async run(command: AddContributionCommand): Promise<Outcome<AddedContribution>> {
    const { userId, key, digest } = command;
    const call = { userId, operation: 'AddContribution', key, digest } as const;
    const outcome = await this.settled(command, () =>
      this.transactions.run((tx) =>
        this.firstAnswers.once(tx, call, (isLast) => this.addUnlessRecorded(tx, command, isLast)),
      ),
    );
    if (!outcome.replayed) this.figures.recorded(command, outcome.answer);
    return outcome;
  }

  /**
   * What {@link run} would find, with the same errors: it does the same as a dry run, of which nothing remains (ADR 27).
   * A key is not looked at.
   */
  async preview(command: AddContributionCommand): Promise<Preview> {
    return this.settled(command, () =>
      dryRun(this.transactions, async (tx) => {
        const earlier = await giftOfTransaction(tx, command, this.church.timeZone);
        const found = earlier === undefined ? (await this.add(tx, command, false)).found : foundBefore(earlier);
        return { found, earlier };
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
    isLast: boolean,
  ): Promise<Outcome<AddedContribution>> {
    const earlier = await giftOfTransaction(tx, command, this.church.timeZone);
    if (earlier !== undefined) return { answer: earlier, replayed: true };
    const { contributionId, found } = await this.add(tx, command, isLast);
    const answer = {
      contributionId,
      peopleId: found.peopleId,
      newPerson: found.by === 'created',
      multipleMatches: found.otherMatches.length > 0,
      source: command.source,
    };
    return { answer, replayed: false };
  }

  private async add(
    tx: EntityManager,
    command: AddContributionCommand,
    isLast: boolean,
  ): Promise<{ contributionId: number; found: FoundGiver }> {
    const { peopleId, giver } = command;
    const found =
      peopleId === undefined
        ? await this.findGiver.byDetails(tx, giver, !command.ignoreUnknownPerson)
        : await this.findGiver.byId(tx, peopleId, giver);
    return { contributionId: await this.insert(tx, command, found, isLast), found };
  }

  private async insert(
    tx: EntityManager,
    command: AddContributionCommand,
    found: FoundGiver,
    isLast: boolean,
  ): Promise<number> {
    const now = this.clock.now();
    const today = churchToday(now, this.church.timeZone);
    const given =
      command.date === undefined ? { instant: now, day: today } : resolveGiftDate(command.date, this.church.timeZone);
    const { currency } = this.church;
    const { userId, bundleTypeId = DEFAULT_BUNDLE_TYPE, contributionTypeId = DEFAULT_CONTRIBUTION_TYPE } = command;
    const placement = { found, given, today, userId, bundleTypeId, currency, contributionTypeId };
    // Listeners write in the same transaction, after what they are told of.
    const isHeard = this.events.areHeard(ContributionRecorded);
    const gift = await insertGift(tx, command, placement, isLast && !isHeard);
    if (!isHeard) return gift.id;
    const { first, last } = command.giver;
    const recorded = new ContributionRecorded(
      randomUUID(),
      gift.id,
      { peopleId: found.peopleId, first, last },
      command.amount,
      currency,
      { id: gift.fund_id, name: gift.fund_name ?? '' },
      given.day,
      command.source,
      command.username,
      gift.created_at.toISOString(),
    );
    await this.events.publish(recorded, tx);
    return gift.id;
  }
}

/** A gift that would be answered as the first time: nobody is matched or created for it. */
function foundBefore({ peopleId }: AddedContribution): FoundGiver {
  return { peopleId, by: 'id', matchedOn: [], otherMatches: [], doubts: [] };
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
