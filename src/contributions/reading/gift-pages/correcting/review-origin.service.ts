import { Injectable } from '@nestjs/common';
import type { Query as Sent } from '../../../../http/index.js';
import { goTo, type PageAnswer } from '../../../../pages/index.js';
import { isFault, readPathId } from '../../../../values/index.js';
import { Reviews, type ReviewView } from '../../../reviews/index.js';
import { NextReview } from '../../reviewing/pages/next-review.js';
import type { GiftDetails } from '../read-gift.service.js';

/** A gift to correct. */
export interface GiftToCorrect {
  readonly details: GiftDetails;
  /** The review that led to it; undefined if its own page did. */
  readonly review: ReviewView | undefined;
}

/** The name of the field with the review that led to a form. */
export const REVIEW_FIELD = 'Review';

/** The review that a link or a form names, and the other fields. */
export function originAndRest({ [REVIEW_FIELD]: sent, ...rest }: Sent): {
  readonly reviewId: number | undefined;
  readonly rest: Sent;
} {
  const reviewId = readPathId(typeof sent === 'string' ? sent : '');
  return { reviewId: isFault(reviewId) ? undefined : reviewId.value, rest };
}

/** What a form sends along to lead back to the review that led to it. */
export function originFields(review: ReviewView | undefined): Readonly<Record<string, string>> {
  return review === undefined ? {} : { [REVIEW_FIELD]: String(review.reviewId) };
}

/** The page to go back to. */
export function wayBack({ details: { gift }, review }: GiftToCorrect): readonly [path: string, label: string] {
  return review === undefined
    ? [`/console/gifts/${gift.contributionId}`, 'Back to the gift']
    : [`/console/reviews/${review.reviewId}`, 'Back to the review'];
}

/** The review from which somebody came to correct its gift, and the way on from there. */
@Injectable()
export class ReviewOrigin {
  constructor(
    private readonly reviews: Reviews,
    private readonly nextReview: NextReview,
  ) {}

  /** The review that is named, if it is about the gift. @throws ReviewNotFoundError */
  async of(contributionId: number, reviewId: number | undefined): Promise<ReviewView | undefined> {
    if (reviewId === undefined) return undefined;
    const review = await this.reviews.show(reviewId);
    return review.contributionId === contributionId ? review : undefined;
  }

  /** To the next review, or to the gift if no review led here. @param message what was done. */
  async goOn(contributionId: number, review: ReviewView | undefined, message: string): Promise<PageAnswer> {
    return review === undefined
      ? goTo(`/console/gifts/${contributionId}`, message)
      : this.nextReview.after(review.reviewId, message);
  }
}
