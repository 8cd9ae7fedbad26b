import type { EntityManager } from 'typeorm';
import { sqlRow, sqlRows } from '../database/index.js';
import { GIVER_DOUBTS, type GiverDoubt } from '../people/index.js';

/** Why Finance should look at a gift, which is recorded all the same. */
export const REVIEW_REASONS = [...GIVER_DOUBTS, 'closed_fund', 'possible_duplicate'] as const;

export type ReviewReason = (typeof REVIEW_REASONS)[number];

/** What the database finds doubtful in a gift: migrations/0015-possible-duplicates.ts has the rule of equal gifts. */
interface DoubtfulGift {
  readonly closed_fund: boolean;
  readonly possible_duplicate: boolean;
}

const SELECT_DOUBTFUL = `
  SELECT NOT fund.is_open AS closed_fund, possible_duplicate(gift)
  FROM contribution gift JOIN fund ON fund.id = gift.fund_id
  WHERE gift.id = $1`;

/** Lists a gift that was just recorded for review, if there is a reason: those given, its fund, or an equal gift. */
export async function listForReview(
  tx: EntityManager,
  gift: DoubtfulGift & { readonly id: number },
  doubts: readonly GiverDoubt[],
): Promise<void> {
  const reasons = reasonsOf(gift, doubts);
  if (reasons.length === 0) return;
  await sqlRows(tx, 'INSERT INTO review (contribution_id, reasons) VALUES ($1, $2)', [gift.id, reasons]);
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
  const gift = await sqlRow<DoubtfulGift>(tx, SELECT_DOUBTFUL, [contributionId]);
  if (gift === undefined) throw new Error('A gift that was just moved is gone');
  const reasons = reasonsOf(gift, doubts);
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

function reasonsOf(gift: DoubtfulGift, doubts: readonly GiverDoubt[]): ReviewReason[] {
  return [
    ...doubts,
    ...(gift.closed_fund ? (['closed_fund'] as const) : []),
    ...(gift.possible_duplicate ? (['possible_duplicate'] as const) : []),
  ];
}
