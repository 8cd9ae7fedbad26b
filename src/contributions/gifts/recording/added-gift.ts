import type { Outcome } from '../../../idempotency/index.js';
import type { FoundGiver } from '../../../people/index.js';
import type { AddContributionCommand, ReviewOfGift } from './add-contribution-command.js';
import type { AddedContribution } from './added-contribution.js';

/** A gift as written within the transaction. */
export interface AddedGift extends ReviewOfGift {
  /** Of the first part. */
  readonly contributionId: number;
  readonly found: FoundGiver;
}

/** The answer to a gift that was recorded. */
export function answerOf(
  { source }: AddContributionCommand,
  { contributionId, found, reviewReasons, similarGift }: AddedGift,
): Outcome<AddedContribution> & ReviewOfGift {
  const answer = {
    contributionId,
    peopleId: found.peopleId,
    newPerson: found.by === 'created',
    multipleMatches: found.otherMatches.length > 0,
    source,
  };
  return { answer, replayed: false, reviewReasons, similarGift };
}
