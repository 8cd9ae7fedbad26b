import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { AuditTrail } from '../../audit/index.js';
import { Transactions } from '../../database/index.js';
import { NAMED_PERSONS } from './close-reviews.js';
import { ReviewNotFoundError } from './errors.js';
import { Review } from './review.entity.js';
import type { ReviewReason } from './review-reasons.js';
import type { ReviewView } from './review-view.js';
import { REVIEW_ACTIONS } from './audit-actions.js';

interface ReviewRow {
  id: number;
  contribution_id: number;
  person_id: number;
  reasons: ReviewReason[];
  other_matches: number[] | null;
  other_persons: number[];
  other_gifts: number[];
  created_at: Date;
}

/** The most reviews in one answer. The parameter `after` continues the list. */
export const REVIEWS_PER_LIST = 200;

/** Selects the page first, and then the survivors of the persons that it names. */
const SELECT_OPEN = `
  WITH RECURSIVE page AS (
    SELECT r.id, r.contribution_id, c.person_id, r.reasons, c.other_matches, r.other_gifts, r.created_at,
      ${NAMED_PERSONS} AS named
    FROM review r JOIN contribution c ON c.id = r.contribution_id
    WHERE r.accepted_at IS NULL AND r.id > $1 ORDER BY r.id LIMIT ${REVIEWS_PER_LIST}
  ), person_named AS (
    SELECT page.id AS review_id, p.id, p.merged_into FROM page JOIN person p ON p.id = ANY (page.named)
    UNION
    SELECT review_id, p.id, p.merged_into FROM person_named JOIN person p ON p.id = person_named.merged_into
  )
  SELECT page.*, ARRAY(
      SELECT p.id FROM person_named p
      WHERE p.review_id = page.id AND p.merged_into IS NULL AND p.id <> page.person_id ORDER BY p.id
    ) AS other_persons
  FROM page ORDER BY id`;

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

  /** At most 200 open reviews with a ReviewId above `after`, the oldest first. */
  async listOpen(after = 0): Promise<ReviewView[]> {
    const rows = await this.transactions.query<ReviewRow>(SELECT_OPEN, [after]);
    return rows.map((row) => ({
      reviewId: row.id,
      contributionId: row.contribution_id,
      peopleId: row.person_id,
      reasons: row.reasons,
      otherMatches: row.other_matches ?? [],
      otherPersons: row.other_persons,
      otherGifts: row.other_gifts,
      createdAt: row.created_at.toISOString(),
    }));
  }

  /** Closes a review, because the gift is correct. The first user who closed it is kept. @throws ReviewNotFoundError */
  async accept(reviewId: number, by: string): Promise<AcceptedReview> {
    return this.transactions.run(async (tx) => {
      const reviews = tx.getRepository(Review);
      const accept = { acceptedAt: () => 'now()', acceptedBy: by, closedThrough: 'accept' };
      const { affected } = await reviews.update({ id: reviewId, acceptedAt: IsNull() }, accept);
      const review = await reviews.findOneBy({ id: reviewId });
      if (review === null) throw new ReviewNotFoundError(reviewId);
      const { contributionId, acceptedAt, acceptedBy } = review;
      if (acceptedAt === null || acceptedBy === null) throw new Error('An accepted review has neither time nor user');
      if (affected === 1) {
        await this.audit.record(tx, REVIEW_ACTIONS.accept, `review ${reviewId}`, { contributionId }, by);
      }
      return { reviewId, contributionId, acceptedAt: acceptedAt.toISOString(), acceptedBy };
    });
  }
}
