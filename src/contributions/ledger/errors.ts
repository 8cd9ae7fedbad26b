import { ExpectedError } from '../../http/index.js';

/** A ContributionId that is nobody's, or nothing this caller may see. */
export class ContributionNotFoundError extends ExpectedError {
  readonly code = 'contribution_not_found';

  constructor(contributionId: number) {
    super(`There is no contribution ${contributionId}.`);
  }
}
