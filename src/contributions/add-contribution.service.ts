import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { Church } from '../config/index.js';
import { sqlRow, Transactions, violatesForeignKey } from '../database/index.js';
import { FindGiver, type Giver } from '../people/index.js';
import { BundleTypeNotFoundError, ContributionTypeNotAllowedError, FundNotFoundError } from './errors.js';
import { churchDay, type GiftDate, resolveGiftDate } from './gift-date.js';
import { openBundle } from './open-bundle.js';
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
  /** The user that adds it. */
  readonly userId: number;
}

/** A gift that was recorded. */
export interface AddedContribution {
  readonly contributionId: number;
  readonly peopleId: number;
  readonly newPerson: boolean;
  readonly multipleMatches: boolean;
  readonly source: string | null;
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
    const { peopleId, giver } = command;
    if (command.contributionTypeId === REVERSED_TYPE) throw new ContributionTypeNotAllowedError(REVERSED_TYPE);
    try {
      return await this.transactions.run(async (tx) => {
        const found =
          peopleId === undefined
            ? await this.findGiver.byDetails(tx, giver, !command.ignoreUnknownPerson)
            : await this.findGiver.byId(tx, peopleId);
        const contributionId = await this.insert(tx, command, found.peopleId);
        return { ...found, contributionId, source: command.source };
      });
    } catch (error) {
      throw asNotFound(error, command);
    }
  }

  private async insert(tx: EntityManager, command: AddContributionCommand, peopleId: number): Promise<number> {
    const now = new Date();
    const today = churchDay(now, this.church.timeZone);
    const given =
      command.date === undefined ? { instant: now, day: today } : resolveGiftDate(command.date, this.church.timeZone);
    const bundleId = await openBundle(tx, {
      bundleTypeId: command.bundleTypeId ?? DEFAULT_BUNDLE_TYPE,
      userId: command.userId,
      day: today,
    });
    const { giver } = command;
    const row = await sqlRow<{ id: number }>(tx, INSERT_GIFT, [
      peopleId,
      command.amount,
      this.church.currency,
      given.instant,
      given.day,
      command.fundId,
      bundleId,
      command.contributionTypeId ?? DEFAULT_CONTRIBUTION_TYPE,
      command.source,
      command.notes,
      giver.first,
      giver.last,
      giver.email,
      giver.phone,
      giver.address,
      giver.zip,
      command.userId,
    ]);
    if (row === undefined) throw new Error('INSERT … RETURNING returned no row');
    return row.id;
  }
}

const INSERT_GIFT = `
  INSERT INTO contribution (person_id, amount, currency, given_at, day, fund_id, bundle_id, contribution_type_id,
    source, notes, giver_first, giver_last, giver_email, giver_phone, giver_address, giver_zip, created_by)
  VALUES ($1, $2, $3, $4, $5, COALESCE($6::integer, (SELECT id FROM fund WHERE is_default)), $7, $8,
    $9, $10, $11, $12, $13, $14, $15, $16, $17)
  RETURNING id`;

/** Ids of reference data are not looked up first: the foreign key decides, and its name tells which one it was. */
function asNotFound(error: unknown, command: AddContributionCommand): unknown {
  if (violatesForeignKey(error, 'contribution_fund_fkey')) return new FundNotFoundError(command.fundId ?? 0);
  if (violatesForeignKey(error, 'bundle_type_fkey')) return new BundleTypeNotFoundError(command.bundleTypeId ?? 0);
  if (violatesForeignKey(error, 'contribution_type_fkey')) {
    return new ContributionTypeNotAllowedError(command.contributionTypeId ?? 0);
  }
  return error;
}
