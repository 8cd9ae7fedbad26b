import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { Church } from '../../../config/index.js';
import { DatabaseClock, TransactionalEvents, violatesForeignKey, violatesNotNull } from '../../../database/index.js';
import type { Outcome } from '../../../idempotency/index.js';
import { FindGiver, type FoundGiver, type GiverMatches } from '../../../people/index.js';
import { churchToday, type ResolvedGiftDate, resolveGiftDate } from '../../../values/index.js';
import { BundleTypeNotFoundError } from '../../bundles/index.js';
import { ContributionRecorded } from '../../events/index.js';
import { findFundsOfParts, FundNotFoundError, NoDefaultFundError } from '../../funds/index.js';
import { DEFAULT_BUNDLE_TYPE, DEFAULT_CONTRIBUTION_TYPE } from '../../ledger/index.js';
import { ContributionTypeNotAllowedError, CurrencyMismatchError } from '../errors.js';
import { type AddContributionCommand, NO_REVIEW, type ReviewOfGift } from './add-contribution-command.js';
import type { AddedContribution } from './added-contribution.js';
import { giftOfTransaction } from './gift-of-transaction.js';
import type { GiftPart } from './gift-part.js';
import { insertGift, type InsertedGift } from './insert-gift.js';

/** A gift as written within the transaction. */
export interface AddedGift extends ReviewOfGift {
  /** Of the first part. */
  readonly contributionId: number;
  readonly found: FoundGiver;
}

/** What is known about a gift before it is recorded. */
export interface KnownOfGift {
  /** True if its transaction id is certainly not recorded yet. */
  readonly isNew?: boolean;
  /** As for {@link FindGiver.byDetails}. */
  readonly matches?: GiverMatches | undefined;
}

/** What all parts of a payment have in common. */
interface Placed {
  readonly found: FoundGiver;
  readonly similarGift: number | undefined;
  readonly given: ResolvedGiftDate;
  /** In church time, YYYY-MM-DD: the day of the bundle. */
  readonly today: string;
}

/** Finds or creates the giver, opens the bundle if needed, and writes the payment and its parts, within a transaction. */
@Injectable()
export class WriteGift {
  constructor(
    private readonly church: Church,
    private readonly clock: DatabaseClock,
    private readonly events: TransactionalEvents,
    private readonly findGiver: FindGiver,
  ) {}

  /**
   * Records a gift, unless its transaction id was used before; then the result is the first answer.
   * @param known what was looked up for several gifts at once.
   * @throws the errors of {@link write}, TransactionIdReusedError, ContributionAlreadyReversedError
   */
  async writeUnlessRecorded(
    tx: EntityManager,
    command: AddContributionCommand,
    known: KnownOfGift = {},
  ): Promise<Outcome<AddedContribution> & ReviewOfGift> {
    const earlier = known.isNew === true ? undefined : await this.earlier(tx, command);
    if (earlier !== undefined) return { answer: earlier, replayed: true, ...NO_REVIEW };
    const { contributionId, found, reviewReasons, similarGift } = await this.write(tx, command, known.matches);
    const answer = {
      contributionId,
      peopleId: found.peopleId,
      newPerson: found.by === 'created',
      multipleMatches: found.otherMatches.length > 0,
      source: command.source,
    };
    return { answer, replayed: false, reviewReasons, similarGift };
  }

  /** The first answer to a gift with this transaction id; undefined if it was not sent before. */
  async earlier(tx: EntityManager, command: AddContributionCommand): Promise<AddedContribution | undefined> {
    return giftOfTransaction(tx, command, this.church.timeZone);
  }

  /**
   * Records a gift.
   * @throws InvalidRequestError, PersonNotFoundError, UnknownPersonError, FundNotFoundError, NoDefaultFundError,
   * BundleTypeNotFoundError, ContributionTypeNotAllowedError, CurrencyMismatchError
   */
  async write(tx: EntityManager, command: AddContributionCommand, matches?: GiverMatches): Promise<AddedGift> {
    const { peopleId, giver } = command;
    this.assertAcceptable(command);
    const parts = await findFundsOfParts(tx, command.parts);
    const similarGift = await command.findSimilarGift?.(tx);
    const found =
      peopleId === undefined
        ? await this.findGiver.byDetails(tx, giver, !command.ignoreUnknownPerson, matches)
        : await this.findGiver.byId(tx, peopleId, giver);
    const now = this.clock.now();
    const today = churchToday(now, this.church.timeZone);
    const given =
      command.date === undefined ? { instant: now, day: today } : resolveGiftDate(command.date, this.church.timeZone);
    const gift = await this.insertParts(tx, { ...command, parts }, { found, similarGift, given, today });
    return { contributionId: gift.id, reviewReasons: gift.reasons, similarGift, found };
  }

  /**
   * Checks what releases before have ignored. It is checked only now, after the search for an earlier call with the same
   * key or transaction id: those releases recorded such gifts, and a repeated call must get its first answer.
   */
  private assertAcceptable({ refusal, currency }: AddContributionCommand): void {
    if (refusal !== undefined) throw refusal;
    if (currency !== undefined && currency !== this.church.currency) {
      throw new CurrencyMismatchError({ sent: currency, own: this.church.currency });
    }
  }

  /** Inserts the parts of a payment. @returns the first part, with the review reasons of all. */
  private async insertParts(tx: EntityManager, command: AddContributionCommand, placed: Placed): Promise<InsertedGift> {
    const inserted: InsertedGift[] = [];
    for (const part of command.parts) inserted.push(await this.insertPart(tx, command, part, placed, inserted[0]?.id));
    const [first] = inserted;
    if (first === undefined) throw new Error('A payment has at least one part');
    return { ...first, reasons: [...new Set(inserted.flatMap(({ reasons }) => reasons))] };
  }

  private async insertPart(
    tx: EntityManager,
    command: AddContributionCommand,
    part: GiftPart,
    placed: Placed,
    paymentId: number | undefined,
  ): Promise<InsertedGift> {
    const { found, given } = placed;
    const { currency } = this.church;
    const { userId, bundleTypeId = DEFAULT_BUNDLE_TYPE } = command;
    const { contributionTypeId = DEFAULT_CONTRIBUTION_TYPE } = part;
    const acceptEarlierYear = command.acceptEarlierYear ?? false;
    const placement = { ...placed, acceptEarlierYear, paymentId, userId, bundleTypeId, currency, contributionTypeId };
    const gift = await insertGift(tx, command, part, placement).catch((error: unknown) => {
      throw toTypedError(error, command, part);
    });
    const { first, last } = command.giver;
    const recorded = new ContributionRecorded({
      eventId: randomUUID(),
      contributionId: gift.id,
      giver: { peopleId: found.peopleId, first, last },
      amount: part.amount,
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

/**
 * Turns a violated constraint into a typed error. Whether the fund, the bundle type and the contribution type exist is
 * not checked before the insert: the foreign keys check it, and the name of the violated key shows which id was
 * invalid.
 */
function toTypedError(error: unknown, command: AddContributionCommand, part: GiftPart): unknown {
  if (violatesForeignKey(error, 'contribution_fund_fkey')) return new FundNotFoundError(part.fundId ?? 0);
  if (violatesNotNull(error, 'fund_id')) return new NoDefaultFundError();
  if (violatesForeignKey(error, 'bundle_type_fkey')) return new BundleTypeNotFoundError(command.bundleTypeId ?? 0);
  if (violatesForeignKey(error, 'contribution_type_fkey')) {
    return new ContributionTypeNotAllowedError(part.contributionTypeId ?? 0);
  }
  return error;
}
