import type { EntityManager } from 'typeorm';
import { sqlRow, sqlRows } from '../database/index.js';
import type { GiverDoubt } from '../people/index.js';

/** Why Finance should look at a gift, which is recorded all the same. */
export type ReviewReason = GiverDoubt | 'closed_fund' | 'possible_duplicate';

/**
 * Equal gifts of one person and day that arrive together would not see each other: the second waits here for the
 * first to commit. No other gift waits.
 */
const LOCK_EQUAL_GIFTS = `
  SELECT pg_advisory_xact_lock(hashtextextended(concat_ws(' ', 'equal gifts', person_id, amount, day), 0))
  FROM contribution WHERE id = $1`;

/** A gift that came from somewhere else as well, or from the same place within ten minutes. */
const SELECT_REASONS = `
  SELECT NOT f.is_open AS closed_fund, EXISTS (
      SELECT 1 FROM contribution other
      WHERE other.person_id = gift.person_id AND other.day = gift.day AND other.amount = gift.amount
        AND other.id <> gift.id AND other.status = 0
        AND (other.source IS DISTINCT FROM gift.source OR other.created_at > now() - interval '10 minutes')
    ) AS possible_duplicate
  FROM contribution gift JOIN fund f ON f.id = gift.fund_id
  WHERE gift.id = $1`;

/** Lists a gift that was just recorded for review, if there is a reason: those given, its fund, or an equal gift. */
export async function listForReview(
  tx: EntityManager,
  contributionId: number,
  doubts: readonly GiverDoubt[],
): Promise<void> {
  await sqlRows(tx, LOCK_EQUAL_GIFTS, [contributionId]);
  const found = await sqlRow<{ closed_fund: boolean; possible_duplicate: boolean }>(tx, SELECT_REASONS, [
    contributionId,
  ]);
  const reasons: ReviewReason[] = [
    ...doubts,
    ...(found?.closed_fund === true ? (['closed_fund'] as const) : []),
    ...(found?.possible_duplicate === true ? (['possible_duplicate'] as const) : []),
  ];
  if (reasons.length === 0) return;
  await sqlRows(tx, 'INSERT INTO review (contribution_id, reasons) VALUES ($1, $2)', [contributionId, reasons]);
}
