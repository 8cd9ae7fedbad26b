import type { EntityManager } from 'typeorm';
import { sqlRow, sqlRows } from '../database/index.js';
import { GIVER_DOUBTS, type GiverDoubt } from '../people/index.js';

/** Why Finance should look at a gift, which is recorded all the same. */
export const REVIEW_REASONS = [...GIVER_DOUBTS, 'closed_fund', 'possible_duplicate'] as const;

export type ReviewReason = (typeof REVIEW_REASONS)[number];

/**
 * The reasons as part of a statement that knows `fund`, the gift's, and `possible_duplicate`:
 * migrations/0015-possible-duplicates.ts has the rule of equal gifts. @param doubts about the giver, text[] in SQL.
 */
export function reviewReasons(doubts: string): string {
  return `${doubts}::text[] || array_remove(ARRAY[
      CASE WHEN NOT fund.is_open THEN 'closed_fund' END, CASE WHEN possible_duplicate THEN 'possible_duplicate' END], NULL)`;
}

const SELECT_REASONS = `
  SELECT ${reviewReasons('$2')} AS reasons
  FROM contribution gift JOIN fund ON fund.id = gift.fund_id, possible_duplicate(gift)
  WHERE gift.id = $1`;

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
  const judged = await sqlRow<{ reasons: ReviewReason[] }>(tx, SELECT_REASONS, [contributionId, doubts]);
  if (judged === undefined) throw new Error('A gift that was just moved is gone');
  if (judged.reasons.length === 0) {
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
    [contributionId, judged.reasons],
  );
}
