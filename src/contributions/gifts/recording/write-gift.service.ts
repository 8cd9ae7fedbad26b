import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { Church } from '../../../config/index.js';
import { DatabaseClock, TransactionalEvents } from '../../../database/index.js';
import type { Outcome } from '../../../idempotency/index.js';
import { FindGiver, type FoundGiver, type GiverBatch } from '../../../people/index.js';
import { churchToday, type ResolvedGiftDate, resolveGiftDate } from '../../../values/index.js';
import { ContributionRecorded } from '../../events/index.js';
import { findFundsOfPayments } from '../../funds/index.js';
import { DEFAULT_BUNDLE_TYPE, DEFAULT_CONTRIBUTION_TYPE } from '../../ledger/index.js';
import { CurrencyMismatchError } from '../errors.js';
import { type AddContributionCommand, NO_REVIEW, type ReviewOfGift } from './add-contribution-command.js';
import type { AddedContribution } from './added-contribution.js';
import { type AddedGift, answerOf } from './added-gift.js';
import { giftOfTransaction } from './gift-of-transaction.js';
import type { GiftPart } from './gift-part.js';
import { toTypedError } from './typed-error.js';
import { insertGift, insertGifts, type InsertedGift, type NewGift } from './insert-gift.js';

/** What all parts of a payment have in common. */
interface Placed {
  readonly found: FoundGiver;
  readonly similarGift: number | undefined;
  readonly given: ResolvedGiftDate;
  /** In church time, YYYY-MM-DD: the day of the bundle. */
  readonly today: string;
}

/** A payment whose giver is found. */
interface PlacedGift {
  readonly command: AddContributionCommand;
  readonly placed: Placed;
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
   * @throws the errors of {@link write}, TransactionIdReusedError, ContributionAlreadyReversedError
   */
  async writeUnlessRecorded(
    tx: EntityManager,
    command: AddContributionCommand,
  ): Promise<Outcome<AddedContribution> & ReviewOfGift> {
    const earlier = await this.earlier(tx, command);
    if (earlier !== undefined) return { answer: earlier, replayed: true, ...NO_REVIEW };
    return answerOf(command, await this.write(tx, command));
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
  async write(tx: EntityManager, command: AddContributionCommand): Promise<AddedGift> {
    this.assertAcceptable(command);
    const [parts = []] = await findFundsOfPayments(tx, [command.parts]);
    const similarGift = await command.findSimilarGift?.(tx);
    const found = await this.giverOf(tx, command);
    const placed = this.place(command, found, similarGift);
    const { id, reasons } = await this.insertParts(tx, { ...command, parts }, placed);
    return { contributionId: id, reviewReasons: reasons, similarGift, found };
  }

  /**
   * Records gifts with new transaction ids, each as {@link write} does, with few statements. If one of them is refused, all
   * must be rolled back.
   * @param givers of all gifts without a PeopleId
   * @returns the gifts, in the same order. @throws the errors of {@link write}
   */
  async writeAll(
    tx: EntityManager,
    commands: readonly AddContributionCommand[],
    givers: GiverBatch,
  ): Promise<AddedGift[]> {
    for (const command of commands) this.assertAcceptable(command);
    const partsOf = await findFundsOfPayments(
      tx,
      commands.map(({ parts }) => parts),
    );
    const similarGifts: (number | undefined)[] = [];
    for (const { findSimilarGift } of commands) similarGifts.push(await findSimilarGift?.(tx));
    const found = await this.giversOf(tx, commands, givers);
    const gifts = commands.map((command, place) => {
      const person = found[place];
      if (person === undefined) throw new Error('A gift has no giver');
      const similarGift = similarGifts[place];
      const placed = this.place(command, person, similarGift);
      return { command: { ...command, parts: partsOf[place] ?? [] }, placed };
    });
    const inserted = await this.insertAll(tx, gifts);
    return gifts.map(({ placed }, place) => {
      const row = inserted[place];
      if (row === undefined) throw new Error('A gift was not inserted');
      const { found, similarGift } = placed;
      return { contributionId: row.id, reviewReasons: row.reasons, similarGift, found };
    });
  }

  private async giverOf(
    tx: EntityManager,
    { peopleId, giver, ignoreUnknownPerson }: AddContributionCommand,
  ): Promise<FoundGiver> {
    return peopleId === undefined
      ? this.findGiver.byDetails(tx, giver, !ignoreUnknownPerson)
      : this.findGiver.byId(tx, peopleId, giver);
  }

  private async giversOf(
    tx: EntityManager,
    commands: readonly AddContributionCommand[],
    givers: GiverBatch,
  ): Promise<(FoundGiver | undefined)[]> {
    const withoutId = commands.filter(({ peopleId }) => peopleId === undefined);
    const sought = withoutId.map(({ giver, ignoreUnknownPerson }) => ({ giver, createUnknown: !ignoreUnknownPerson }));
    const byDetails = await givers.find(tx, sought);
    const found = new Map(withoutId.map((command, place) => [command, byDetails[place]]));
    for (const command of commands)
      if (command.peopleId !== undefined) found.set(command, await this.giverOf(tx, command));
    return commands.map((command) => found.get(command));
  }

  private place({ date }: AddContributionCommand, found: FoundGiver, similarGift: number | undefined): Placed {
    const now = this.clock.now();
    const today = churchToday(now, this.church.timeZone);
    const given = date === undefined ? { instant: now, day: today } : resolveGiftDate(date, this.church.timeZone);
    return { found, similarGift, given, today };
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

  /** Inserts payments in their order. @returns the first part of each, with the review reasons of all its parts. */
  private async insertAll(tx: EntityManager, gifts: readonly PlacedGift[]): Promise<InsertedGift[]> {
    const inserted: InsertedGift[] = [];
    let whole: PlacedGift[] = [];
    for (const gift of gifts) {
      if (gift.command.parts.length === 1) {
        whole.push(gift);
        continue;
      }
      inserted.push(...(await this.insertWhole(tx, whole)));
      whole = [];
      inserted.push(await this.insertParts(tx, gift.command, gift.placed));
    }
    return [...inserted, ...(await this.insertWhole(tx, whole))];
  }

  /** Inserts payments of one part each. */
  private async insertWhole(tx: EntityManager, gifts: readonly PlacedGift[]): Promise<InsertedGift[]> {
    const rows = gifts.flatMap(({ command, placed }) => {
      const [part] = command.parts;
      return part === undefined ? [] : [this.newGift(command, part, placed, undefined)];
    });
    const inserted = await insertGifts(tx, rows).catch((error: unknown) => {
      // Only the error of a single gift is passed on: if one of many is refused, they are recorded one by one.
      const [only] = gifts;
      throw only === undefined ? error : toTypedError(error, only.command, only.command.parts[0]);
    });
    for (const [place, row] of inserted.entries()) {
      const gift = rows[place];
      if (gift !== undefined) await this.publishRecorded(tx, gift, row, gifts[place]?.command.username ?? '');
    }
    return inserted;
  }

  /** Inserts the parts of a payment. @returns the first part, with the review reasons of all. */
  private async insertParts(tx: EntityManager, command: AddContributionCommand, placed: Placed): Promise<InsertedGift> {
    const inserted: InsertedGift[] = [];
    for (const part of command.parts) {
      const gift = this.newGift(command, part, placed, inserted[0]?.id);
      const row = await insertGift(tx, gift).catch((error: unknown) => {
        throw toTypedError(error, command, part);
      });
      await this.publishRecorded(tx, gift, row, command.username);
      inserted.push(row);
    }
    const [first] = inserted;
    if (first === undefined) throw new Error('A payment has at least one part');
    return { ...first, reasons: [...new Set(inserted.flatMap(({ reasons }) => reasons))] };
  }

  private newGift(
    command: AddContributionCommand,
    part: GiftPart,
    placed: Placed,
    paymentId: number | undefined,
  ): NewGift {
    const { userId, bundleTypeId = DEFAULT_BUNDLE_TYPE, acceptEarlierYear = false } = command;
    const { contributionTypeId = DEFAULT_CONTRIBUTION_TYPE } = part;
    const { currency } = this.church;
    const placement = { ...placed, acceptEarlierYear, paymentId, userId, bundleTypeId, currency, contributionTypeId };
    return { gift: command, part, placement };
  }

  private async publishRecorded(
    tx: EntityManager,
    { gift, part, placement }: NewGift,
    row: InsertedGift,
    username: string,
  ): Promise<void> {
    const { first, last } = gift.giver;
    const recorded = new ContributionRecorded({
      eventId: randomUUID(),
      contributionId: row.id,
      giver: { peopleId: placement.found.peopleId, first, last },
      amount: part.amount,
      currency: placement.currency,
      fund: { id: row.fund_id, name: row.fund_name ?? '' },
      day: placement.given.day,
      source: gift.source,
      username,
      recordedAt: row.created_at.toISOString(),
    });
    await this.events.publish(recorded, tx, { isWanted: row.is_wanted });
  }
}
