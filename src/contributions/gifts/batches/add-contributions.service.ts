import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Transactions, violatesUnique } from '../../../database/index.js';
import { ExpectedError, expectedErrorOf } from '../../../http/index.js';
import type { Outcome } from '../../../idempotency/index.js';
import { FindGiver } from '../../../people/index.js';
import { GiftMetrics } from '../gift-metrics.js';
import type { AddContributionCommand } from '../recording/add-contribution-command.js';
import type { AddedContribution } from '../recording/added-contribution.js';
import { assertTypesAllowed } from '../recording/gift-part.js';
import { type KnownOfGift, WriteGift } from '../recording/write-gift.service.js';
import { PreparedBatch } from './prepared-batch.js';

/** A gift of a batch, or the error for one that could not be read. */
export type BatchGift = AddContributionCommand | ExpectedError;

/** The result of one gift: recorded, recorded earlier, or refused. */
export type BatchResult = Outcome<AddedContribution> | ExpectedError;

/** How long a batch may take, in milliseconds. A hundred gifts of new givers take a second on a busy machine. */
const TIME_LIMIT_MS = 20_000;

/** Another call with the same transaction id was recorded while this one ran. */
const RECORDED_MEANWHILE = 'contribution_transaction_once';

/** Records many gifts in one transaction, each as if it had been sent alone. */
@Injectable()
export class AddContributions {
  constructor(
    private readonly transactions: Transactions,
    private readonly findGiver: FindGiver,
    private readonly writeGift: WriteGift,
    private readonly metrics: GiftMetrics,
  ) {}

  /**
   * Records the gifts in the order given. Each is recorded or refused by itself. If it throws, nothing is stored.
   * @returns a result for each gift, in the same order.
   */
  async record(gifts: readonly BatchGift[]): Promise<readonly BatchResult[]> {
    const results = await this.recordAll(gifts);
    results.forEach((result, index) => {
      const gift = gifts[index];
      if (gift === undefined || gift instanceof ExpectedError || result instanceof ExpectedError || result.replayed)
        return;
      this.metrics.recorded(gift, result.answer);
    });
    return results;
  }

  /** Nearly all batches have no gift that is refused, so the first attempt does without savepoints. */
  private async recordAll(gifts: readonly BatchGift[]): Promise<readonly BatchResult[]> {
    try {
      return await this.inTransaction(gifts, (tx, gift, known) => this.write(tx, gift, known));
    } catch (error) {
      if (expectedErrorOf(error) === undefined && !violatesUnique(error, RECORDED_MEANWHILE)) throw error;
      return this.inTransaction(gifts, (tx, gift, known) => this.writeOrRefuse(tx, gift, known));
    }
  }

  private async inTransaction(
    gifts: readonly BatchGift[],
    write: (tx: EntityManager, gift: AddContributionCommand, known: KnownOfGift) => Promise<BatchResult>,
  ): Promise<readonly BatchResult[]> {
    const work = async (tx: EntityManager): Promise<BatchResult[]> => {
      const batch = await PreparedBatch.of(tx, this.findGiver, gifts.filter(isReadable));
      const results: BatchResult[] = [];
      for (const gift of gifts)
        results.push(gift instanceof ExpectedError ? gift : await write(tx, gift, batch.next(gift)));
      return results;
    };
    return this.transactions.run(work, TIME_LIMIT_MS);
  }

  private async write(
    tx: EntityManager,
    gift: AddContributionCommand,
    known: KnownOfGift,
  ): Promise<Outcome<AddedContribution>> {
    assertTypesAllowed(gift.parts);
    const { answer, replayed } = await this.writeGift.writeUnlessRecorded(tx, gift, known);
    return { answer, replayed };
  }

  /** Undoes what a refused gift has written. */
  private async writeOrRefuse(
    tx: EntityManager,
    gift: AddContributionCommand,
    known: KnownOfGift,
  ): Promise<BatchResult> {
    await tx.query('SAVEPOINT gift');
    try {
      const result = await this.write(tx, gift, known);
      await tx.query('RELEASE SAVEPOINT gift');
      return result;
    } catch (error) {
      const expected = expectedErrorOf(error);
      const isRepeated = violatesUnique(error, RECORDED_MEANWHILE);
      if (expected === undefined && !isRepeated) throw error;
      await tx.query('ROLLBACK TO SAVEPOINT gift');
      // The other call has committed, so its gift is found now.
      return expected ?? this.writeOrRefuse(tx, gift, {});
    }
  }
}

function isReadable(gift: BatchGift): gift is AddContributionCommand {
  return !(gift instanceof ExpectedError);
}
