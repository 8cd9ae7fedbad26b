import type { EntityManager } from 'typeorm';
import { prepared, sqlRows } from '../../../database/index.js';
import type { FindGiver, GiverMatches } from '../../../people/index.js';
import type { AddContributionCommand } from '../recording/add-contribution-command.js';
import { recordedTransactions } from '../recording/gift-of-transaction.js';
import type { KnownOfGift } from '../recording/write-gift.service.js';

const LOCK = prepared(`
  SELECT pg_advisory_xact_lock(key)
  FROM (SELECT DISTINCT hashtextextended('gift of a batch ' || k, 0) AS key FROM unnest($1::text[]) AS k ORDER BY key) k`);

/**
 * A batch whose locks are taken, and about whose gifts all is known that one statement for all of them can find out. What
 * the gifts of the batch themselves change is kept up to date, so that each gift is recorded as if it had been sent alone.
 */
export class PreparedBatch {
  /** Transactions that are recorded, by earlier calls or by this batch. */
  private readonly recorded = new Set<string>();
  /** The lock keys of givers for whom this batch may have created a person or added a contact. */
  private readonly changedKeys = new Set<string>();

  private constructor(
    private readonly findGiver: FindGiver,
    private readonly matches: ReadonlyMap<AddContributionCommand, GiverMatches>,
  ) {}

  /**
   * Takes the locks of all gifts in one order, so that two batches cannot each wait for the other, and then looks up what
   * is known about them. All gifts must be of one user.
   */
  static async of(
    tx: EntityManager,
    findGiver: FindGiver,
    gifts: readonly AddContributionCommand[],
  ): Promise<PreparedBatch> {
    const [first] = gifts;
    if (first === undefined) return new PreparedBatch(findGiver, new Map());
    await sqlRows(tx, LOCK, [gifts.map((gift) => `transaction ${gift.userId} ${transactionOf(gift)}`)]);
    const toMatch = gifts.filter(({ peopleId }) => peopleId === undefined);
    const matches = await findGiver.matchAll(
      tx,
      toMatch.map(({ giver }) => giver),
    );
    const batch = new PreparedBatch(findGiver, new Map(toMatch.map((gift, place) => [gift, matches[place] ?? []])));
    await sqlRows(tx, LOCK, [gifts.flatMap((gift) => batch.equalGiftsOf(gift))]);
    for (const gift of await recordedTransactions(tx, first.userId, gifts)) batch.recorded.add(transactionOf(gift));
    return batch;
  }

  /** Equal gifts of one person lock each other when they are written. New persons are locked by their details already. */
  private equalGiftsOf(gift: AddContributionCommand): string[] {
    const peopleId = gift.peopleId ?? this.matches.get(gift)?.[0]?.personId;
    return peopleId === undefined ? [] : gift.parts.map(({ amount }) => `equal gifts ${peopleId} ${amount}`);
  }

  /** What is known about the next gift. Call it in the order of the gifts. */
  next(gift: AddContributionCommand): KnownOfGift {
    const transaction = transactionOf(gift);
    const isNew = !this.recorded.has(transaction);
    this.recorded.add(transaction);
    return { isNew, matches: this.matchesOf(gift) };
  }

  /**
   * A person that this batch created, or a contact that it added, may be one of the giver's. Then the giver is matched again.
   */
  private matchesOf(gift: AddContributionCommand): GiverMatches | undefined {
    const keys = this.findGiver.lockKeysOf(gift.giver);
    const isChanged = keys.some((key) => this.changedKeys.has(key));
    const matches = this.matches.get(gift) ?? [];
    const addsNothing = matches[0]?.evidence.includes('email') === true && matches[0].evidence.includes('phone');
    if (!addsNothing) for (const key of keys) this.changedKeys.add(key);
    return isChanged ? undefined : matches;
  }
}

function transactionOf({ source, transactionId }: AddContributionCommand): string {
  return JSON.stringify([source, transactionId]);
}
