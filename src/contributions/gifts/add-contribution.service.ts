import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { dryRun, Transactions, violatesUnique } from '../../database/index.js';
import { ExpectedError } from '../../http/index.js';
import { Idempotency, type Outcome } from '../../idempotency/index.js';
import type { FoundGiver } from '../../people/index.js';
import { GiftMetrics } from './gift-metrics.js';
import { type AddContributionCommand, NO_REVIEW, type ReviewOfGift } from './recording/add-contribution-command.js';
import type { AddedContribution } from './recording/added-contribution.js';
import { assertTypesAllowed } from './recording/gift-part.js';
import { WriteGift } from './recording/write-gift.service.js';

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

/** Finds or creates the giver, opens the bundle if needed, and records the gift, in one transaction. */
@Injectable()
export class AddContribution {
  constructor(
    private readonly transactions: Transactions,
    private readonly writeGift: WriteGift,
    private readonly idempotency: Idempotency,
    private readonly metrics: GiftMetrics,
  ) {}

  /**
   * Records a gift. If the key or the transaction id was used before, nothing is recorded, and the result is the first
   * answer. If it throws, nothing is stored.
   * @throws InvalidRequestError, PersonNotFoundError, UnknownPersonError, FundNotFoundError, NoDefaultFundError, BundleTypeNotFoundError,
   * ContributionTypeNotAllowedError, CurrencyMismatchError, TransactionIdReusedError, ContributionAlreadyReversedError,
   * and the errors of {@link Idempotency.once}.
   */
  async record(command: AddContributionCommand): Promise<Outcome<AddedContribution> & ReviewOfGift> {
    assertTypesAllowed(command.parts);
    const { userId, key, sent } = command;
    const call = { userId, operation: 'AddContribution', key, sent } as const;
    const recorded = await retryIfRecordedMeanwhile(() =>
      this.transactions.run(async (tx) => {
        let review = NO_REVIEW;
        const outcome = await this.idempotency.once(tx, call, async () => {
          const { reviewReasons, similarGift, ...first } = await this.writeGift.writeUnlessRecorded(tx, command);
          review = { reviewReasons, similarGift };
          return first;
        });
        return { ...outcome, ...review };
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
    assertTypesAllowed(command.parts);
    return retryIfRecordedMeanwhile(() =>
      dryRun(this.transactions, async (tx) => {
        const createdBefore = { persons: new Set<number>(), gifts: new Set<number>() };
        for (const each of before) {
          // It was recorded meanwhile, so its giver is found as everybody else is.
          if (await this.isRecorded(tx, each)) continue;
          const { contributionId, found } = await this.writeGift.write(tx, each);
          createdBefore.gifts.add(contributionId);
          if (found.by === 'created') createdBefore.persons.add(found.peopleId);
        }
        const earlier = await this.writeGift.earlier(tx, command);
        const { found, reviewReasons, similarGift } =
          earlier === undefined
            ? await this.writeGift.write(tx, command)
            : { ...NO_REVIEW, found: giverOfEarlier(earlier) };
        return { found, earlier, reviewReasons, similarGift, createdBefore };
      }),
    );
  }

  private async isRecorded(tx: EntityManager, command: AddContributionCommand): Promise<boolean> {
    try {
      return (await this.writeGift.earlier(tx, command)) !== undefined;
    } catch (error) {
      // Recorded with other content, or reversed.
      if (error instanceof ExpectedError) return true;
      throw error;
    }
  }
}

/**
 * Runs `attempt`, which is one transaction, again if a concurrent call has recorded the same transaction id. That call has
 * committed, so the next attempt finds its gift and returns the first answer.
 */
export async function retryIfRecordedMeanwhile<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (violatesUnique(error, 'contribution_transaction_once')) return retryIfRecordedMeanwhile(attempt);
    throw error;
  }
}

/** The giver of a gift that is already recorded. No person is matched or created for a repeated gift. */
function giverOfEarlier({ peopleId }: AddedContribution): FoundGiver {
  return { peopleId, by: 'id', matchedOn: [], otherMatches: [], doubts: [], similarPersons: [] };
}
