import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { sqlRows, Transactions, violatesUnique } from '../../../database/index.js';
import { Church } from '../../../config/index.js';
import { ExpectedError, expectedErrorOf } from '../../../http/index.js';
import type { Outcome } from '../../../idempotency/index.js';
import { FindGiver, type GiverBatch } from '../../../people/index.js';
import { GiftMetrics } from '../gift-metrics.js';
import { type AddContributionCommand, NO_REVIEW, type ReviewOfGift } from '../recording/add-contribution-command.js';
import type { AddedContribution } from '../recording/added-contribution.js';
import { type EarlierRow, firstAnswerTo } from '../recording/gift-of-transaction.js';
import { assertTypesAllowed } from '../recording/gift-part.js';
import { answerOf } from '../recording/added-gift.js';
import { WriteGift } from '../recording/write-gift.service.js';
import { prepareBatch, transactionOf } from './prepared-batch.js';

/** A gift of a batch, or the error for one that could not be read. */
export type BatchGift = AddContributionCommand | ExpectedError;

/** The result of one gift: recorded, recorded earlier, or refused. */
export type BatchResult = (Outcome<AddedContribution> & ReviewOfGift) | ExpectedError;

/** How long a batch may take, in milliseconds. A hundred gifts of new givers take a second on a busy machine. */
const TIME_LIMIT_MS = 20_000;

/** Another call with the same transaction id was recorded while this one ran. */
const RECORDED_MEANWHILE = 'contribution_transaction_once';

/** Records many gifts in one transaction, each as if it had been sent alone. */
@Injectable()
export class AddContributions {
  constructor(
    private readonly church: Church,
    private readonly transactions: Transactions,
    private readonly findGiver: FindGiver,
    private readonly writeGift: WriteGift,
    private readonly metrics: GiftMetrics,
  ) {}

  /**
   * Records the gifts in the order given. Each is recorded or refused by itself. If it throws, nothing is stored.
   * @param gifts of one user, each with a transaction id.
   * @returns a result for each gift, in the same order.
   */
  async record(gifts: readonly BatchGift[]): Promise<readonly BatchResult[]> {
    const readable = gifts.flatMap((gift) => (gift instanceof ExpectedError ? [] : [gift]));
    const results = await this.transactions.run((tx) => this.recordAll(tx, readable), TIME_LIMIT_MS);
    for (const [gift, result] of results) {
      if (!(result instanceof ExpectedError) && !result.replayed) this.metrics.recorded(gift, result.answer);
    }
    return gifts.map((gift) => {
      const result = gift instanceof ExpectedError ? gift : results.get(gift);
      if (result === undefined) throw new Error('A gift of the batch has no result');
      return result;
    });
  }

  private async recordAll(
    tx: EntityManager,
    gifts: readonly AddContributionCommand[],
  ): Promise<ReadonlyMap<AddContributionCommand, BatchResult>> {
    const { earlier, givers } = await prepareBatch(tx, this.findGiver, gifts);
    const results = new Map<AddContributionCommand, BatchResult>();
    // Gifts that are written together, by their transactions.
    const waiting = new Map<string, AddContributionCommand>();
    const writeWaiting = async (): Promise<void> => {
      const together = [...waiting.values()];
      waiting.clear();
      for (const [gift, result] of zip(together, await this.write(tx, together, givers))) results.set(gift, result);
    };
    const written = new Set<string>();
    for (const gift of gifts) {
      const transaction = transactionOf(gift);
      if (waiting.has(transaction)) await writeWaiting();
      const repeated = await this.repeated(tx, gift, earlier.get(gift), written.has(transaction));
      if (repeated === undefined) waiting.set(transaction, gift);
      else results.set(gift, repeated);
      written.add(transaction);
    }
    await writeWaiting();
    return results;
  }

  /**
   * The result of a gift whose transaction is recorded, by an earlier call or by a gift before it; undefined if it is not.
   * @param mayBeWritten whether a gift before it has the same transaction.
   */
  private async repeated(
    tx: EntityManager,
    gift: AddContributionCommand,
    earlier: EarlierRow | undefined,
    mayBeWritten: boolean,
  ): Promise<BatchResult | undefined> {
    try {
      assertTypesAllowed(gift.parts);
      const answer =
        earlier !== undefined
          ? await firstAnswerTo(tx, gift, earlier, this.church.timeZone)
          : mayBeWritten
            ? await this.writeGift.earlier(tx, gift)
            : undefined;
      return answer && { answer, replayed: true, ...NO_REVIEW };
    } catch (error) {
      // Nothing was written, so nothing has to be undone.
      if (error instanceof ExpectedError) return error;
      throw error;
    }
  }

  /**
   * Writes gifts with different transaction ids, together if all are accepted. If one is refused, what was written is undone,
   * and each half of the gifts is written by itself.
   */
  private async write(
    tx: EntityManager,
    gifts: readonly AddContributionCommand[],
    givers: GiverBatch,
  ): Promise<readonly BatchResult[]> {
    const [first, ...others] = gifts;
    if (first === undefined) return [];
    await sqlRows(tx, 'SAVEPOINT gifts');
    try {
      const added = await this.writeGift.writeAll(tx, gifts, givers);
      await sqlRows(tx, 'RELEASE SAVEPOINT gifts');
      return zip(gifts, added).map(([gift, one]) => answerOf(gift, one));
    } catch (error) {
      const expected = expectedErrorOf(error);
      if (expected === undefined && !violatesUnique(error, RECORDED_MEANWHILE)) throw error;
      await sqlRows(tx, 'ROLLBACK TO SAVEPOINT gifts');
      await sqlRows(tx, 'RELEASE SAVEPOINT gifts');
      givers.forget(gifts.filter(({ peopleId }) => peopleId === undefined).map(({ giver }) => giver));
      if (others.length > 0) {
        const half = Math.ceil(gifts.length / 2);
        const before = await this.write(tx, gifts.slice(0, half), givers);
        return [...before, ...(await this.write(tx, gifts.slice(half), givers))];
      }
      if (expected !== undefined) return [expected];
      // The other call has committed, so its gift is found now.
      const repeated = await this.repeated(tx, first, undefined, true);
      return repeated === undefined ? this.write(tx, gifts, givers) : [repeated];
    }
  }
}

/** Pairs of what is at the same place of two lists of the same length. */
function zip<A, B>(one: readonly A[], other: readonly B[]): [A, B][] {
  return one.map((a, place) => [a, other[place] as B]);
}
