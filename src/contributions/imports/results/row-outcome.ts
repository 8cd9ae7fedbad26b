import { describeError } from '../../../database/index.js';
import { expectedErrorOf } from '../../../http/index.js';
import type { AddedContribution, ReviewOfGift } from '../../gifts/index.js';
import type { RowResult } from './result-file.js';

/** The result of a row without its position and id. */
export type Outcome = Omit<RowResult, 'row' | 'line' | 'transactionId'>;

export const EMPTY_OUTCOME = {
  contributionId: null,
  peopleId: null,
  newPerson: null,
  multipleMatches: null,
  review: [],
  similarTo: null,
  code: null,
  error: null,
} as const;

export function answerOf(
  added: AddedContribution,
): Pick<Outcome, 'contributionId' | 'peopleId' | 'newPerson' | 'multipleMatches'> {
  const { contributionId, peopleId, newPerson, multipleMatches } = added;
  return { contributionId, peopleId, newPerson, multipleMatches };
}

export function reviewOf({ reviewReasons, similarGift }: ReviewOfGift): Pick<Outcome, 'review' | 'similarTo'> {
  return { review: reviewReasons, similarTo: similarGift ?? null };
}

/** The outcome of a row that the API would have refused. */
export function refusedOutcome(error: unknown): Outcome {
  const failure = expectedErrorOf(error);
  const problem =
    failure !== undefined
      ? { code: failure.kind.code, error: failure.message }
      : { code: 'internal_error', error: `Something went wrong here; please report it: ${describeError(error)}` };
  return { ...EMPTY_OUTCOME, status: 'refused', ...problem };
}
