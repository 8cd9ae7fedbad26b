import type { EntityManager } from 'typeorm';
import { prepared, sqlRows } from '../../../database/index.js';
import type { FindGiver } from '../../../people/index.js';
import type { AddContributionCommand } from '../recording/add-contribution-command.js';

const LOCK = prepared(`
  SELECT pg_advisory_xact_lock(key)
  FROM (SELECT DISTINCT hashtextextended('gift of a batch ' || k, 0) AS key FROM unnest($1::text[]) AS k ORDER BY key) k`);

/**
 * Takes the locks of all gifts of a batch in one order, so that two batches cannot each wait for the other: those on the
 * givers' details, and those on their persons, transaction ids and bundles. A batch that has them records its gifts in
 * the order given.
 */
export async function lockBatch(
  tx: EntityManager,
  findGiver: FindGiver,
  commands: readonly AddContributionCommand[],
): Promise<void> {
  await findGiver.lockGivers(
    tx,
    commands.map(({ giver }) => giver),
  );
  await sqlRows(tx, LOCK, [commands.flatMap(keysOf)]);
}

function keysOf({ userId, source, transactionId, peopleId, bundleTypeId }: AddContributionCommand): string[] {
  return [
    `transaction ${userId} ${JSON.stringify([source, transactionId])}`,
    `bundle ${userId} ${bundleTypeId ?? 'default'}`,
    ...(peopleId === undefined ? [] : [`person ${peopleId}`]),
  ];
}
