import { type ErrorKind, ExpectedError } from '../../http/index.js';

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
