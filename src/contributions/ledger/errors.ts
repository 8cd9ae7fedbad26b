import { type ErrorKind, ExpectedError, RetryLaterError } from '../../http/index.js';

export const CONTRIBUTION_NOT_FOUND: ErrorKind = {
  code: 'contribution_not_found',
  status: 404,
  when: 'No contribution has this id, or the user may not see it.',
  example: 'There is no contribution 1.',
};

/** There is no contribution with this ContributionId, or the caller may not see it. */
export class ContributionNotFoundError extends ExpectedError {
  readonly kind = CONTRIBUTION_NOT_FOUND;

  constructor(contributionId: number) {
    super(`There is no contribution ${contributionId}.`);
  }
}

export const TOTALS_NOT_READY: ErrorKind = {
  code: 'totals_not_ready',
  status: 503,
  when: 'The books are still being summed up: after an upgrade to the first version with totals, or after somebody’s own SQL has changed a contribution. Until then nobody knows all totals, or all currencies of the gifts. It takes a minute or two.',
  example: 'The books are still being summed up. Please try again in 15 seconds.',
};

const RETRY_SECONDS = 15;

/** Most of the books are not summed up yet. */
export class TotalsNotReadyError extends RetryLaterError {
  readonly kind = TOTALS_NOT_READY;

  constructor() {
    super(TOTALS_NOT_READY.example, RETRY_SECONDS);
  }
}
