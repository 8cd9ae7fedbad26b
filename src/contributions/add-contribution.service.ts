import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { Church } from '../config/index.js';
import { Transactions, violatesForeignKey } from '../database/index.js';
import { FindGiver, type FoundGiver, type Giver } from '../people/index.js';
import { BundleTypeNotFoundError, ContributionTypeNotAllowedError, FundNotFoundError } from './errors.js';
import { churchDay, type GiftDate, resolveGiftDate } from './gift-date.js';
import { insertGift } from './insert-gift.js';
import { openBundle } from './open-bundle.js';
import { DEFAULT_BUNDLE_TYPE, DEFAULT_CONTRIBUTION_TYPE, REVERSED_TYPE } from './reference-data.js';
import { listForReview } from './review-reasons.js';

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
  /** The user that adds it. */
  readonly userId: number;
}

/** A gift that was recorded. */
export interface AddedContribution {
  readonly contributionId: number;
  readonly source: string | null;
  /** Whose it is, and how that was found. */
  readonly found: FoundGiver;
}

/** Records a gift: its giver, found or created, its bundle, and itself, in one transaction. */
@Injectable()
export class AddContribution {
  constructor(
    private readonly church: Church,
    private readonly transactions: Transactions,
    private readonly findGiver: FindGiver,
  ) {}

  /**
   * @throws PersonNotFoundError, UnknownPersonError, FundNotFoundError, BundleTypeNotFoundError,
   * ContributionTypeNotAllowedError; nothing is stored then.
   */
  async run(command: AddContributionCommand): Promise<AddedContribution> {
    return this.inTransaction(command, (tx) => this.add(tx, command));
  }

  /**
   * What {@link run} would find, with the same errors: it is the same, and then rolled back. Ids that it used up are
   * all that remains.
   */
  async preview(command: AddContributionCommand): Promise<FoundGiver> {
    try {
      return await this.inTransaction(command, async (tx) => {
        throw new RollBack((await this.add(tx, command)).found);
      });
    } catch (error) {
      if (error instanceof RollBack) return error.found;
      throw error;
    }
  }

  private async inTransaction<T>(command: AddContributionCommand, work: (tx: EntityManager) => Promise<T>): Promise<T> {
    if (command.contributionTypeId === REVERSED_TYPE) throw new ContributionTypeNotAllowedError(REVERSED_TYPE);
    try {
      return await this.transactions.run(work);
    } catch (error) {
      throw asNotFound(error, command);
    }
  }

  private async add(tx: EntityManager, command: AddContributionCommand): Promise<AddedContribution> {
    const { peopleId, giver, source } = command;
    const found =
      peopleId === undefined
        ? await this.findGiver.byDetails(tx, giver, !command.ignoreUnknownPerson)
        : await this.findGiver.byId(tx, peopleId, giver);
    const contributionId = await this.insert(tx, command, found);
    await listForReview(tx, contributionId, found.doubts);
    return { contributionId, source, found };
  }

  private async insert(tx: EntityManager, command: AddContributionCommand, found: FoundGiver): Promise<number> {
    const now = new Date();
    const today = churchDay(now, this.church.timeZone);
    const given =
      command.date === undefined ? { instant: now, day: today } : resolveGiftDate(command.date, this.church.timeZone);
    const bundleId = await openBundle(tx, {
      bundleTypeId: command.bundleTypeId ?? DEFAULT_BUNDLE_TYPE,
      userId: command.userId,
      day: today,
    });
    return insertGift(tx, {
      ...command,
      found,
      given,
      bundleId,
      currency: this.church.currency,
      contributionTypeId: command.contributionTypeId ?? DEFAULT_CONTRIBUTION_TYPE,
    });
  }
}

/** Ends a transaction whose result was all that was wanted. */
class RollBack extends Error {
  constructor(readonly found: FoundGiver) {
    super('Rolled back on purpose');
  }
}

/** Ids of reference data are not looked up first: the foreign key decides, and its name tells which one it was. */
function asNotFound(error: unknown, command: AddContributionCommand): unknown {
  if (violatesForeignKey(error, 'contribution_fund_fkey')) return new FundNotFoundError(command.fundId ?? 0);
  if (violatesForeignKey(error, 'bundle_type_fkey')) return new BundleTypeNotFoundError(command.bundleTypeId ?? 0);
  if (violatesForeignKey(error, 'contribution_type_fkey')) {
    return new ContributionTypeNotAllowedError(command.contributionTypeId ?? 0);
  }
  return error;
}
