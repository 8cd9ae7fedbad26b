import { type ErrorKind, ExpectedError } from '../../http/index.js';

export const NOT_REVERSIBLE: ErrorKind = {
  code: 'not_reversible',
  status: 409,
  when: 'The contribution is itself a reversing entry.',
  example: 'Contribution 2 is itself the reversal of contribution 1 and cannot be reversed.',
};

/** A reversing entry cannot itself be reversed. */
export class ContributionNotReversibleError extends ExpectedError {
  readonly kind = NOT_REVERSIBLE;

  constructor({ contributionId, reversesId }: { readonly contributionId: number; readonly reversesId: number }) {
    super(
      `Contribution ${contributionId} is itself the reversal of contribution ${reversesId} and cannot be reversed.`,
    );
  }
}
