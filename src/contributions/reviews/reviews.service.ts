import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull } from 'typeorm';
import { type Actor, AuditTrail, nameOf } from '../../audit/index.js';
import { sqlRow, Transactions } from '../../database/index.js';
import { NAMED_PERSONS } from './close-reviews.js';
import { ReviewChangedError, ReviewNotFoundError } from './errors.js';
import type { ReviewReason } from './reasons/review-reasons.js';
import { Review } from './review.entity.js';
import { REVIEWS_PER_LIST, type ReviewView } from './review-view.js';
import { REVIEW_ACTIONS } from './audit-actions.js';

/** Selects the reviews `r` first, and then the survivors of the persons that they name. @param condition with ORDER BY. */
const selectReviews = (condition: string): string => `
  WITH RECURSIVE page AS (
    SELECT r.id, r.contribution_id, c.person_id, r.reasons, c.other_matches, r.other_gifts, r.created_at,
      ${NAMED_PERSONS} AS named
    FROM review r JOIN contribution c ON c.id = r.contribution_id
    WHERE ${condition}
  ), person_named AS (
    SELECT page.id AS review_id, p.id, p.merged_into
    FROM page, LATERAL (SELECT id, merged_into FROM person WHERE id = ANY (page.named) OFFSET 0) p
    UNION
    SELECT review_id, p.id, p.merged_into
    FROM person_named, LATERAL (SELECT id, merged_into FROM person WHERE id = person_named.merged_into OFFSET 0) p
  )
  SELECT page.id AS "reviewId", contribution_id AS "contributionId", person_id AS "peopleId", reasons,
    COALESCE(other_matches, '{}') AS "otherMatches",
    ARRAY(
      SELECT p.id FROM person_named p
      WHERE p.review_id = page.id AND p.merged_into IS NULL AND p.id <> page.person_id ORDER BY p.id
    ) AS "otherPersons", other_gifts AS "otherGifts", created_at AS "createdAt"
  FROM page ORDER BY page.id`;

const SELECT_OPEN = selectReviews(`r.accepted_at IS NULL AND r.id > $1 ORDER BY r.id LIMIT ${REVIEWS_PER_LIST}`);
const SELECT_OPEN_OF = selectReviews('r.accepted_at IS NULL AND r.contribution_id = ANY ($1::integer[]) ORDER BY r.id');
const SELECT_ONE = selectReviews('r.id = $1 ORDER BY r.id');

/** $1 bundles */
const COUNT_OPEN_IN = `
  SELECT c.bundle_id AS "bundleId", count(*)::integer AS count
  FROM review r JOIN contribution c ON c.id = r.contribution_id
  WHERE r.accepted_at IS NULL AND c.bundle_id = ANY ($1::integer[])
  GROUP BY c.bundle_id`;

/** The next open review after this one; after the last one, the first. */
const SELECT_CLOSING = `
  SELECT accepted_at AS "closedAt", accepted_by AS "closedBy", closed_through AS "closedThrough",
    COALESCE(
      (SELECT min(id) FROM review WHERE accepted_at IS NULL AND id > $1),
      (SELECT min(id) FROM review WHERE accepted_at IS NULL AND id < $1)
    ) AS next
  FROM review WHERE id = $1`;

type ReviewRow = Omit<ReviewView, 'createdAt'> & { readonly createdAt: Date };

/** Whether a review is closed, and which one is open next. */
export interface ReviewClosing {
  /** All null while it is open. */
  readonly closedAt: string | null;
  readonly closedBy: string | null;
  readonly closedThrough: string | null;
  readonly next: number | null;
}

/** What a caller has seen of a review. */
interface SeenReview {
  readonly peopleId?: number | undefined;
  /** In any order. */
  readonly reasons?: readonly ReviewReason[] | undefined;
}

/** A review to close. */
export interface AcceptReviewCommand {
  readonly reviewId: number;
  /** What the caller has seen of it; undefined fields are not compared. */
  readonly seen?: SeenReview;
  /** User name, or "command line". */
  readonly by: Actor;
}

/** A closed review. */
export interface AcceptedReview {
  readonly reviewId: number;
  readonly contributionId: number;
  readonly acceptedAt: string;
  readonly acceptedBy: string;
}

/** Lists and closes reviews. */
@Injectable()
export class Reviews {
  constructor(
    private readonly transactions: Transactions,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * At most 200 open reviews with a ReviewId above `after`, the oldest first. The reading is recorded.
   * @param by user name, or "command line"
   */
  async listOpen(after: number, by: Actor): Promise<ReviewView[]> {
    const rows = await this.transactions.query<ReviewRow>(SELECT_OPEN, [after]);
    await this.audit.recordReading({
      action: REVIEW_ACTIONS.list,
      subject: 'reviews',
      peopleIds: rows.flatMap(({ peopleId, otherMatches, otherPersons }) => [
        peopleId,
        ...otherMatches,
        ...otherPersons,
      ]),
      details: { reviews: rows.length },
      by,
    });
    return rows.map(viewOf);
  }

  /** The open reviews of these gifts. It does not record the reading, which is for the caller to do. */
  async openOf(contributionIds: readonly number[]): Promise<ReviewView[]> {
    const rows = await this.transactions.query<ReviewRow>(SELECT_OPEN_OF, [contributionIds]);
    return rows.map(viewOf);
  }

  /** A review, open or closed. @throws ReviewNotFoundError */
  async show(reviewId: number): Promise<ReviewView & ReviewClosing> {
    const [row] = await this.transactions.query<ReviewRow>(SELECT_ONE, [reviewId]);
    const [closing] = await this.transactions.query<
      Omit<ReviewClosing, 'closedAt'> & { readonly closedAt: Date | null }
    >(SELECT_CLOSING, [reviewId]);
    if (row === undefined || closing === undefined) throw new ReviewNotFoundError(reviewId);
    return { ...viewOf(row), ...closing, closedAt: closing.closedAt?.toISOString() ?? null };
  }

  /** How many reviews are open. */
  async countOpen(): Promise<number> {
    return this.transactions.run((tx) => tx.countBy(Review, { acceptedAt: IsNull() }));
  }

  /** How many gifts of bundles have an open review. A bundle without such gifts is left out. */
  async countOpenIn(bundleIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
    const rows = await this.transactions.query<{ readonly bundleId: number; readonly count: number }>(COUNT_OPEN_IN, [
      bundleIds,
    ]);
    return new Map(rows.map(({ bundleId, count }) => [bundleId, count]));
  }

  /**
   * Closes a review, because the gift is correct. The first user who closed it is kept.
   * @throws ReviewNotFoundError, ReviewChangedError
   */
  async accept({ reviewId, seen = {}, by }: AcceptReviewCommand): Promise<AcceptedReview> {
    return this.transactions.run(async (tx) => {
      // Locked, so that nothing reopens the review in between.
      const review = await tx.findOne(Review, { where: { id: reviewId }, lock: { mode: 'pessimistic_write' } });
      if (review === null) throw new ReviewNotFoundError(reviewId);
      if (review.acceptedAt === null) await assertAsSeen(tx, reviewId, seen);
      const { contributionId, acceptedAt, acceptedBy } =
        review.acceptedAt === null ? await this.close(tx, review, by) : review;
      if (acceptedAt === null || acceptedBy === null) throw new Error('An accepted review has neither time nor user');
      return { reviewId, contributionId, acceptedAt: acceptedAt.toISOString(), acceptedBy };
    });
  }

  /** @returns the closed review, with the database's time. */
  private async close(tx: EntityManager, { id, contributionId }: Review, by: Actor): Promise<Review> {
    await tx.update(Review, { id }, { acceptedAt: () => 'now()', acceptedBy: nameOf(by), closedThrough: 'accept' });
    await this.audit.record(tx, {
      action: REVIEW_ACTIONS.accept,
      subject: `review ${id}`,
      details: { contributionId },
      by,
    });
    return tx.findOneByOrFail(Review, { id });
  }
}

/** @throws ReviewChangedError */
async function assertAsSeen(tx: EntityManager, reviewId: number, { peopleId, reasons }: SeenReview): Promise<void> {
  if (peopleId === undefined && reasons === undefined) return;
  const row = await sqlRow<ReviewRow>(tx, SELECT_ONE, [reviewId]);
  if (row === undefined) throw new ReviewNotFoundError(reviewId);
  const isSame =
    (peopleId === undefined || peopleId === row.peopleId) &&
    (reasons === undefined ||
      (reasons.length === row.reasons.length && row.reasons.every((one) => reasons.includes(one))));
  if (!isSame) throw new ReviewChangedError(viewOf(row));
}

function viewOf({ createdAt, ...review }: ReviewRow): ReviewView {
  return { ...review, createdAt: createdAt.toISOString() };
}
