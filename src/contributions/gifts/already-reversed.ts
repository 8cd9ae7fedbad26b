import { DateTime } from 'luxon';
import type { EntityManager } from 'typeorm';
import { sqlRow } from '../../database/index.js';
import { ContributionAlreadyReversedError } from './errors.js';

/** The error for a gift that is already reversed. It says when, in church time, and by which source. */
export async function alreadyReversed(
  tx: EntityManager,
  contributionId: number,
  timeZone: string,
): Promise<ContributionAlreadyReversedError> {
  const first = await sqlRow<{ source: string | null; created_at: Date }>(
    tx,
    'SELECT source, created_at FROM contribution WHERE reverses_id = $1',
    [contributionId],
  );
  if (first === undefined)
    throw new Error(`Contribution ${contributionId} is marked reversed without a reversing entry`);
  const at = DateTime.fromJSDate(first.created_at, { zone: timeZone }).toISO({ suppressMilliseconds: true });
  return new ContributionAlreadyReversedError({ contributionId, at: String(at), source: first.source });
}
