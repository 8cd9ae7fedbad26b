import { ExpectedError, listOf, Problem, problemOf, Property } from '../../../http/index.js';
import { AddContributionAnswer, addContributionAnswer } from '../requests/add-contribution.answer.js';
import { MAX_GIFTS } from './add-contributions.request.js';
import type { BatchResult } from './add-contributions.service.js';

/** The result of one gift of a batch. */
class GiftResult {
  @Property(
    { type: 'integer', format: 'int32', minimum: 0, maximum: MAX_GIFTS - 1 },
    { description: 'Its place in `Gifts`, from 0.', examples: [0] },
  )
  readonly Index!: number;

  @Property(
    { type: 'integer', format: 'int32', minimum: 200, maximum: 499 },
    { description: 'The status that AddContribution would have answered.', examples: [200] },
  )
  readonly Status!: number;

  @Property(AddContributionAnswer, { description: 'With status 200: the answer of AddContribution.', optional: true })
  readonly Answer?: AddContributionAnswer;

  @Property(Problem, { description: 'With any other status: why the gift was refused.', optional: true })
  readonly Problem?: Problem;
}

/** The answer of AddContributions. */
export class AddContributionsAnswer {
  @Property(listOf(GiftResult, MAX_GIFTS), { description: 'One result for each gift, in the order of `Gifts`.' })
  readonly Results!: readonly GiftResult[];
}

/** @see AddContributionsAnswer */
export function addContributionsAnswer(results: readonly BatchResult[], requestId: string): AddContributionsAnswer {
  return {
    Results: results.map((result, Index) =>
      result instanceof ExpectedError
        ? { Index, Status: result.kind.status, Problem: problemOf(result, requestId) }
        : { Index, Status: 200, Answer: addContributionAnswer(result.answer) },
    ),
  };
}
