import { DateTime } from 'luxon';
import type { EntityManager } from 'typeorm';
import { sqlRow } from '../../database/index.js';
import { ContributionAlreadyReversedError } from './errors.js';

const SELECT_LAST_REVERSAL = `
  SELECT reversal.source, reversal.created_at
  FROM contribution named JOIN contribution reversal
    ON reversal.payment_id = named.payment_id AND reversal.payment_id <> reversal.id
  WHERE named.id = $1 AND reversal.reverses_id IS NOT NULL
  ORDER BY reversal.id DESC LIMIT 1`;

/** The error for a payment of which nothing is left. It says when, in church time, and by whom it was last reversed. */
export async function alreadyReversed(
  tx: EntityManager,
  contributionId: number,
  timeZone: string,
): Promise<ContributionAlreadyReversedError> {
  interface Row {
    source: string | null;
    created_at: Date;
  }
  const last = await sqlRow<Row>(tx, SELECT_LAST_REVERSAL, [contributionId]);
  if (last === undefined)
    throw new Error(`Nothing is left of contribution ${contributionId} without a reversing entry`);
  const at = DateTime.fromJSDate(last.created_at, { zone: timeZone }).toISO({ suppressMilliseconds: true });
  return new ContributionAlreadyReversedError({ contributionId, at: String(at), source: last.source });
}
