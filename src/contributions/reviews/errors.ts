import { ExpectedError } from '../../http/index.js';

/** A reversing entry goes where its gift goes. */
export class ContributionNotReassignableError extends ExpectedError {
  readonly code = 'not_reassignable';

  constructor(contributionId: number, reversesId: number) {
    super(
      `Contribution ${contributionId} is the reversal of contribution ${reversesId} and follows it: reassign that one.`,
    );
  }
}

/** A ReviewId that is no review's. */
export class ReviewNotFoundError extends ExpectedError {
  readonly code = 'review_not_found';

  constructor(reviewId: number) {
    super(`There is no review ${reviewId}.`);
  }
}
