import type { EntityManager } from 'typeorm';
import { type Actor, type AuditTrail, nameOf } from '../../audit/index.js';
import { arrayParameter, prepared, sqlRows } from '../../database/index.js';
import { currentFund } from '../ledger/index.js';
import type { ReviewReason } from './reasons/review-reasons.js';
import { REVIEW_ACTIONS } from './audit-actions.js';

/** The reasons that are settled when all persons of a review are merged into one. */
const ABOUT_PERSONS: readonly ReviewReason[] = [
  'several_matches',
  'similar_person',
  'similar_spelling',
  'changed_last_name',
  'known_name',
  'other_contact',
];

/**
 * SQL for the persons that a review `r` of the gift `c` names. Other matching persons are stored with the gift. Programs
 * older than the column `other_persons` stored only those.
 */
export const NAMED_PERSONS = `r.other_persons ||
  CASE WHEN 'several_matches' = ANY (r.reasons) THEN COALESCE(c.other_matches, '{}') ELSE '{}' END`;

/**
 * SQL for whether a reason of the open review `r` of the gift `c` is not yet settled. A reason about persons is settled
 * when all of them are merged into the gift's person. A reason about equal gifts is settled when all of these are
 * reversed. That a fund is closed is settled when the gift is in an open one. Other reasons are never settled.
 */
const HAS_OPEN_QUESTION = `
  EXISTS (
    SELECT FROM unnest(r.reasons) AS reason
    WHERE NOT CASE
      WHEN reason = ANY (ARRAY[${ABOUT_PERSONS.map((reason) => `'${reason}'`).join(', ')}]) THEN
        cardinality(${NAMED_PERSONS}) > 0 AND NOT EXISTS (
          WITH RECURSIVE named AS (
            SELECT p.id, p.merged_into FROM person p WHERE p.id = ANY (${NAMED_PERSONS})
            UNION
            SELECT p.id, p.merged_into
            FROM named, LATERAL (SELECT id, merged_into FROM person WHERE id = named.merged_into OFFSET 0) p
          )
          SELECT FROM named WHERE merged_into IS NULL AND id <> c.person_id
        )
      WHEN reason = ANY (ARRAY['possible_duplicate', 'similar_row']) THEN
        cardinality(r.other_gifts) > 0 AND NOT EXISTS (
          SELECT FROM contribution other WHERE other.id = ANY (r.other_gifts) AND other.status = 0
        )
      WHEN reason = 'closed_fund' THEN EXISTS (SELECT FROM fund WHERE fund.id = ${currentFund('c')} AND fund.is_open)
      ELSE false
    END
  )`;

/** What closes reviews besides a decision about them. */
type ClosedThrough = 'reversal' | 'merge' | 'move';

/**
 * Closes those of the `locked` reviews for which the condition holds. OFFSET 0 looks the gift of each review up by its id:
 * locked reviews are few, but a plan that was made for small tables would read all contributions.
 */
function closeLocked(through: ClosedThrough, condition: string): string {
  return `
  settled AS (
    SELECT r.id FROM locked r, LATERAL (SELECT * FROM contribution WHERE id = r.contribution_id OFFSET 0) c
    WHERE ${condition}
  )
  UPDATE review r SET accepted_at = now(), accepted_by = $2, closed_through = '${through}'
  WHERE r.id = ANY (ARRAY(SELECT id FROM settled))
  RETURNING r.id AS "reviewId", r.contribution_id AS "contributionId"`;
}

const [REVERSED, SETTLED] = [arrayParameter('$1', 'integer'), arrayParameter('$3', 'integer')];

/**
 * Locks reviews by id, so that two such statements cannot deadlock. Each condition has a look-up of its own: joined by OR,
 * they were answered by reading all open reviews until PostgreSQL had fresh statistics.
 */
const CLOSE_FOR_REVERSAL = prepared(`
  WITH concerned AS (
    SELECT id FROM review WHERE accepted_at IS NULL AND contribution_id = ANY (${SETTLED})
    UNION
    SELECT id FROM review WHERE accepted_at IS NULL AND other_gifts && ${REVERSED}
  ),
  locked AS (
    SELECT r.* FROM review r
    WHERE r.id = ANY (ARRAY(SELECT id FROM concerned)) AND r.accepted_at IS NULL
    ORDER BY r.id FOR UPDATE
  ),${closeLocked('reversal', `r.contribution_id = ANY (${SETTLED}) OR NOT ${HAS_OPEN_QUESTION}`)}`);

const CLOSE_FOR_MERGE = `
  WITH locked AS (
    SELECT r.* FROM contribution c JOIN review r ON r.contribution_id = c.id
    WHERE c.person_id = $1 AND r.accepted_at IS NULL
    ORDER BY r.id FOR UPDATE OF r
  ),${closeLocked('merge', `NOT ${HAS_OPEN_QUESTION}`)}`;

/** Only those that wait because of their fund: a move settles nothing else. */
const CLOSE_FOR_MOVE = `
  WITH locked AS (
    SELECT r.* FROM review r
    WHERE r.contribution_id = ANY ($1::integer[]) AND r.accepted_at IS NULL AND 'closed_fund' = ANY (r.reasons)
    ORDER BY r.id FOR UPDATE
  ),${closeLocked('move', `NOT ${HAS_OPEN_QUESTION}`)}`;

interface ClosedReview {
  readonly reviewId: number;
  readonly contributionId: number;
}

/** Gifts of which nothing is left since a reversal. */
interface ReversedGifts {
  readonly contributionIds: readonly number[];
  /**
   * Those of them whose own reviews are settled. The review of a payment's first part is also about its giver, so it stays
   * open while another part is left.
   */
  readonly settledIds: readonly number[];
  /** User name, or "command line". */
  readonly by: Actor;
}

/**
 * Closes the reviews of reversed gifts, and those of other gifts that were only listed because they may be the same as one
 * of these.
 */
export async function closeReviewsOfReversed(
  tx: EntityManager,
  audit: AuditTrail,
  { contributionIds, settledIds, by }: ReversedGifts,
): Promise<void> {
  if (contributionIds.length === 0) return;
  const closed = await sqlRows<ClosedReview>(tx, CLOSE_FOR_REVERSAL, [contributionIds, nameOf(by), settledIds]);
  await recordClosed(tx, audit, { closed, through: 'reversal', by });
}

/** Closes the reviews of a person's gifts that a merge into this person has settled. */
export async function closeReviewsOfMerged(
  tx: EntityManager,
  audit: AuditTrail,
  { peopleId, by }: { readonly peopleId: number; readonly by: Actor },
): Promise<void> {
  const closed = await sqlRows<ClosedReview>(tx, CLOSE_FOR_MERGE, [peopleId, nameOf(by)]);
  await recordClosed(tx, audit, { closed, through: 'merge', by });
}

interface ClosedReviews {
  readonly closed: readonly ClosedReview[];
  readonly through: ClosedThrough;
  /** User name, or "command line". */
  readonly by: Actor;
}

/** Closes the reviews of gifts that were moved to another fund, if the closed fund was their only open question. */
export async function closeReviewsOfMoved(
  tx: EntityManager,
  audit: AuditTrail,
  { contributionIds, by }: { readonly contributionIds: readonly number[]; readonly by: Actor },
): Promise<void> {
  const closed = await sqlRows<ClosedReview>(tx, CLOSE_FOR_MOVE, [contributionIds, nameOf(by)]);
  await recordClosed(tx, audit, { closed, through: 'move', by });
}

async function recordClosed(
  tx: EntityManager,
  audit: AuditTrail,
  { closed, through, by }: ClosedReviews,
): Promise<void> {
  for (const { reviewId, contributionId } of closed) {
    const subject = `review ${reviewId}`;
    await audit.record(tx, { action: REVIEW_ACTIONS.close, subject, details: { contributionId, through }, by });
  }
}
