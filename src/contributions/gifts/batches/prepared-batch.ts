import type { EntityManager } from 'typeorm';
import { prepared, sqlRows } from '../../../database/index.js';
import type { FindGiver, GiverBatch } from '../../../people/index.js';
import type { AddContributionCommand } from '../recording/add-contribution-command.js';
import { type EarlierRow, giftsOfTransactions } from '../recording/gift-of-transaction.js';

const LOCK = prepared(`
  SELECT pg_advisory_xact_lock(key)
  FROM (SELECT DISTINCT hashtextextended('gift of a batch ' || k, 0) AS key FROM unnest($1::text[]) AS k ORDER BY key) k`);

/** A batch whose locks are taken, with what was looked up for all its gifts at once. */
export interface PreparedBatch {
  /** The gifts that were recorded before the batch. */
  readonly earlier: ReadonlyMap<AddContributionCommand, EarlierRow>;
  /** The givers of the other gifts. */
  readonly givers: GiverBatch;
}

/**
 * Takes the locks of all gifts in one order, so that two batches cannot each wait for the other, and looks up what is known
 * about the gifts. All gifts must be of one user.
 */
export async function prepareBatch(
  tx: EntityManager,
  findGiver: FindGiver,
  gifts: readonly AddContributionCommand[],
): Promise<PreparedBatch> {
  const [first] = gifts;
  if (first === undefined) return { earlier: new Map(), givers: await findGiver.batch(tx, []) };
  await sqlRows(tx, LOCK, [gifts.map((gift) => `transaction ${gift.userId} ${transactionOf(gift)}`)]);
  const earlier = await giftsOfTransactions(tx, first.userId, gifts);
  const added = gifts.filter((gift) => !earlier.has(gift));
  const withoutId = added.filter(({ peopleId }) => peopleId === undefined);
  const givers = await findGiver.batch(
    tx,
    withoutId.map(({ giver }) => giver),
  );
  const equalGifts = added.flatMap((gift) => equalGiftsOf(gift, givers));
  if (equalGifts.length > 0) await sqlRows(tx, LOCK, [equalGifts]);
  return { earlier, givers };
}

/** Equal gifts of one person lock each other when they are written. New persons are locked by their details already. */
function equalGiftsOf({ peopleId, giver, parts }: AddContributionCommand, givers: GiverBatch): string[] {
  const person = peopleId ?? givers.bestMatch(giver);
  return person === undefined ? [] : parts.map(({ amount }) => `equal gifts ${person} ${amount}`);
}

/** Equal for gifts with the same transaction id and source. */
export function transactionOf({ source, transactionId }: AddContributionCommand): string {
  return JSON.stringify([source, transactionId]);
}
