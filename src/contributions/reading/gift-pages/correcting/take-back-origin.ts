import type { Query as Sent } from '../../../../http/index.js';
import { isFault, readPathId } from '../../../../values/index.js';
import type { ReviewView } from '../../../reviews/index.js';
import type { GiftDetails } from '../read-gift.service.js';

/** A gift to take back. */
export interface ToTakeBack {
  readonly details: GiftDetails;
  /** The review that led to it; undefined if its own page did. */
  readonly review: ReviewView | undefined;
}

/** The review that a link or a form names, and the other fields. */
export function originAndRest({ Review: sent, ...rest }: Sent): {
  readonly reviewId: number | undefined;
  readonly rest: Sent;
} {
  const reviewId = readPathId(typeof sent === 'string' ? sent : '');
  return { reviewId: isFault(reviewId) ? undefined : reviewId.value, rest };
}

/** The page to go back to. */
export function wayBack({ details: { gift }, review }: ToTakeBack): readonly [path: string, label: string] {
  return review === undefined
    ? [`/console/gifts/${gift.contributionId}`, 'Back to the gift']
    : [`/console/reviews/${review.reviewId}`, 'Back to the review'];
}
