import { ExpectedError } from '../../http/index.js';

/** A reversing entry cannot itself be reversed. */
export class ContributionNotReversibleError extends ExpectedError {
  readonly code = 'not_reversible';

  constructor(contributionId: number, reversesId: number) {
    super(
      `Contribution ${contributionId} is itself the reversal of contribution ${reversesId} and cannot be reversed.`,
    );
  }
}
