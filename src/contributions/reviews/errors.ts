import { type ErrorKind, ExpectedError } from '../../http/index.js';
import type { ReviewView } from './review-view.js';

export const NOT_REASSIGNABLE: ErrorKind = {
  code: 'not_reassignable',
  status: 409,
  when: 'The contribution is a reversing entry, which follows its gift.',
  example: 'Contribution 2 is the reversal of contribution 1 and follows it: reassign that one.',
};

export const GIVER_CHANGED: ErrorKind = {
  code: 'giver_changed',
  status: 409,
  when: 'The gift does not belong to `FromPeopleId` any more. Nothing was changed. `current.peopleId` is its person now.',
  example: 'Contribution 1 belongs to person 187 now. Nothing was changed.',
};

export const REVIEW_NOT_FOUND: ErrorKind = {
  code: 'review_not_found',
  status: 404,
  when: 'No review has this id.',
  example: 'There is no review 1.',
};

export const REVIEW_CHANGED: ErrorKind = {
  code: 'review_changed',
  status: 409,
  when: 'The gift does not belong to `PeopleId` any more, or the review has other reasons than `Reasons`. It stays open. `current` is the review as it is now.',
  example: 'Review 3 has changed: look at it again. It was not closed.',
};

/** A reversing entry cannot be reassigned: it follows its gift. */
export class ContributionNotReassignableError extends ExpectedError {
  readonly kind = NOT_REASSIGNABLE;

  constructor({ contributionId, reversesId }: { readonly contributionId: number; readonly reversesId: number }) {
    super(
      `Contribution ${contributionId} is the reversal of contribution ${reversesId} and follows it: reassign that one.`,
    );
  }
}

/** There is no review with this ReviewId. */
export class ReviewNotFoundError extends ExpectedError {
  readonly kind = REVIEW_NOT_FOUND;

  constructor(reviewId: number) {
    super(`There is no review ${reviewId}.`);
  }
}

/** Somebody else has moved the gift to another person than the one that the caller has seen. */
export class GiverChangedError extends ExpectedError {
  readonly kind = GIVER_CHANGED;

  constructor(override readonly current: { readonly contributionId: number; readonly peopleId: number }) {
    super(`Contribution ${current.contributionId} belongs to person ${current.peopleId} now. Nothing was changed.`);
  }
}

/** The review is about another person or has other reasons than the caller has seen. */
export class ReviewChangedError extends ExpectedError {
  readonly kind = REVIEW_CHANGED;

  constructor(override readonly current: ReviewView) {
    super(`Review ${current.reviewId} has changed: look at it again. It was not closed.`);
  }
}
