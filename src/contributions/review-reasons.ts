import type { EntityManager } from 'typeorm';
import { sqlRow, sqlRows } from '../database/index.js';
import { GIVER_DOUBTS, type GiverDoubt } from '../people/index.js';

/** Why Finance should look at a gift, which is recorded all the same. */
export const REVIEW_REASONS = [...GIVER_DOUBTS, 'closed_fund', 'possible_duplicate'] as const;

export type ReviewReason = (typeof REVIEW_REASONS)[number];

/**
 * Equal gifts of one person and day that arrive together would not see each other: the second waits here for the
 * first to commit. No other gift waits.
 */
const LOCK_EQUAL_GIFTS = `
  SELECT pg_advisory_xact_lock(hashtextextended(concat_ws(' ', 'equal gifts', person_id, amount, day), 0))
  FROM contribution WHERE id = $1`;

/** A gift that came from somewhere else as well, or from the same place within ten minutes without a key. */
const SELECT_REASONS = `
  SELECT NOT f.is_open AS closed_fund, EXISTS (
      SELECT 1 FROM contribution other
      WHERE other.person_id = gift.person_id AND other.day = gift.day AND other.amount = gift.amount
        AND other.id <> gift.id AND other.status = 0
        AND (other.source IS DISTINCT FROM gift.source
          OR NOT gift.has_key AND other.created_at > now() - interval '10 minutes')
    ) AS possible_duplicate
  FROM contribution gift JOIN fund f ON f.id = gift.fund_id
  WHERE gift.id = $1`;

/** Lists a gift that was just recorded for review, if there is a reason: those given, its fund, or an equal gift. */
export async function listForReview(
  tx: EntityManager,
  contributionId: number,
  doubts: readonly GiverDoubt[],
): Promise<void> {
  const reasons = await reasonsOf(tx, contributionId, doubts);
  if (reasons.length === 0) return;
  await sqlRows(tx, 'INSERT INTO review (contribution_id, reasons) VALUES ($1, $2)', [contributionId, reasons]);
}

/**
 * Judges a gift anew that went to another person: what was doubtful about the giver is settled, what holds there is
 * listed. A review that was accepted comes back for a new reason only.
 */
export async function reviewAgain(
  tx: EntityManager,
  contributionId: number,
  doubts: readonly GiverDoubt[],
  by: string,
): Promise<void> {
  const reasons = await reasonsOf(tx, contributionId, doubts);
  if (reasons.length === 0) {
    await sqlRows(
      tx,
      'UPDATE review SET accepted_at = now(), accepted_by = $2 WHERE contribution_id = $1 AND accepted_at IS NULL',
      [contributionId, by],
    );
    return;
  }
  await sqlRows(
    tx,
    `INSERT INTO review (contribution_id, reasons) VALUES ($1, $2)
     ON CONFLICT ON CONSTRAINT review_one_per_contribution DO UPDATE
       SET reasons = excluded.reasons, accepted_at = NULL, accepted_by = NULL
       WHERE review.accepted_at IS NULL OR NOT excluded.reasons <@ review.reasons`,
    [contributionId, reasons],
  );
}

async function reasonsOf(
  tx: EntityManager,
  contributionId: number,
  doubts: readonly GiverDoubt[],
): Promise<ReviewReason[]> {
  await sqlRows(tx, LOCK_EQUAL_GIFTS, [contributionId]);
  const found = await sqlRow<{ closed_fund: boolean; possible_duplicate: boolean }>(tx, SELECT_REASONS, [
    contributionId,
  ]);
  return [
    ...doubts,
    ...(found?.closed_fund === true ? (['closed_fund'] as const) : []),
    ...(found?.possible_duplicate === true ? (['possible_duplicate'] as const) : []),
  ];
}
