import type { EntityManager } from 'typeorm';
import { sqlRow, sqlRows } from '../../../database/index.js';
import { GIVER_DOUBTS, type GiverDoubt } from '../../../people/index.js';
import { currentFund, RECORDED } from '../../ledger/index.js';

/** Why Finance should check a recorded gift. */
export const REVIEW_REASONS = [
  ...GIVER_DOUBTS,
  'closed_fund',
  'possible_duplicate',
  'similar_row',
  'earlier_year',
] as const;

export type ReviewReason = (typeof REVIEW_REASONS)[number];

/**
 * SQL for the reasons of a gift. The statement must provide `gift` with `person_id`, the gift's `fund`, and `equal_gifts`
 * (migrations/0020-reviews-name-others.ts has the rule). A person is listed for a shared contact only once, because each
 * further gift would say the same. OFFSET 0 looks up the gifts of one person: for many gifts, the planner would read those of all
 * persons once.
 * @param doubts SQL for the doubts about the giver, text[].
 */
export function reviewReasons(doubts: string): string {
  return `CASE WHEN 'shared_contact' = ANY (${doubts}::text[]) AND EXISTS (
      SELECT FROM (SELECT id FROM contribution WHERE person_id = gift.person_id OFFSET 0) earlier,
        LATERAL (SELECT reasons FROM review WHERE contribution_id = earlier.id OFFSET 0) review
      WHERE 'shared_contact' = ANY (review.reasons))
    THEN array_remove(${doubts}::text[], 'shared_contact') ELSE ${doubts}::text[] END || array_remove(ARRAY[
      CASE WHEN NOT fund.is_open THEN 'closed_fund' END,
      CASE WHEN cardinality(equal_gifts) > 0 THEN 'possible_duplicate' END], NULL)`;
}

/**
 * A reversed gift needs no review. The fund is the one in which the gift is now. That a gift is of an earlier year is not
 * settled by another person: the reason stays while the review is open.
 */
const SELECT_REASONS = `
  SELECT ${reviewReasons('$2')} || ARRAY(
      SELECT 'earlier_year' FROM review r
      WHERE r.contribution_id = gift.id AND r.accepted_at IS NULL AND 'earlier_year' = ANY (r.reasons)) AS reasons,
    equal_gifts AS others
  FROM contribution gift JOIN fund ON fund.id = ${currentFund('gift')}, equal_gifts(gift)
  WHERE gift.id = $1 AND gift.status = ${RECORDED}`;

/** Locks reviews by id, so that two such statements cannot deadlock. */
const LOCK_REVIEWS = 'SELECT FROM review WHERE contribution_id = ANY ($1) ORDER BY id FOR UPDATE';

/** The gifts of a payment that was moved to another person. */
interface ReassignedGifts {
  readonly contributionIds: readonly number[];
  /** The doubts about the new person. */
  readonly doubts: readonly GiverDoubt[];
  /** User name, or "command line". */
  readonly by: string;
}

/**
 * Decides again whether reassigned gifts need a review. The doubts about the old person are settled. The doubts about the
 * new person are listed once for the payment, with the first gift that is not reversed. A closed review is reopened only
 * for a new reason.
 */
export async function reviewAgain(tx: EntityManager, { contributionIds, doubts, by }: ReassignedGifts): Promise<void> {
  await sqlRows(tx, LOCK_REVIEWS, [contributionIds]);
  let unlisted = doubts;
  for (const contributionId of contributionIds) {
    const isLeft = await reviewGiftAgain(tx, { contributionId, doubts: unlisted, by });
    if (isLeft) unlisted = [];
  }
}

/** @returns whether something is left of the gift. */
async function reviewGiftAgain(
  tx: EntityManager,
  { contributionId, doubts, by }: Omit<ReassignedGifts, 'contributionIds'> & { readonly contributionId: number },
): Promise<boolean> {
  const judged = await sqlRow<{ reasons: ReviewReason[]; others: number[] }>(tx, SELECT_REASONS, [
    contributionId,
    doubts,
  ]);
  if (judged === undefined || judged.reasons.length === 0) {
    await sqlRows(
      tx,
      `UPDATE review SET accepted_at = now(), accepted_by = $2, closed_through = 'reassignment'
       WHERE contribution_id = $1 AND accepted_at IS NULL`,
      [contributionId, by],
    );
    return judged !== undefined;
  }
  await sqlRows(
    tx,
    `INSERT INTO review (contribution_id, reasons, other_gifts) VALUES ($1, $2, $3)
     ON CONFLICT ON CONSTRAINT review_one_per_contribution DO UPDATE
       SET reasons = excluded.reasons, other_persons = '{}', other_gifts = excluded.other_gifts,
         accepted_at = NULL, accepted_by = NULL, closed_through = NULL
       WHERE review.accepted_at IS NULL OR NOT excluded.reasons <@ review.reasons`,
    [contributionId, judged.reasons, judged.others],
  );
  return true;
}
