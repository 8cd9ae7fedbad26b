import type { AddedContribution } from '../add-contribution.service.js';
import type { ReversedContribution } from '../reverse-contribution.service.js';

/** The answer of AddContribution, its fields in the contract's order and spelling. */
export interface AddContributionAnswer {
  readonly PeopleId: number;
  readonly ContributionId: number;
  readonly NewPerson: boolean;
  readonly MultipleMatches: boolean;
  readonly Source: string | null;
}

/** @see AddContributionAnswer */
export function addContributionAnswer(added: AddedContribution): AddContributionAnswer {
  return {
    PeopleId: added.peopleId,
    ContributionId: added.contributionId,
    NewPerson: added.newPerson,
    MultipleMatches: added.multipleMatches,
    Source: added.source,
  };
}

/** The answer of ReverseContribution, its fields in the contract's order and spelling. */
export interface ReverseContributionAnswer {
  readonly operation: 'Reversal';
  readonly peopleId: number;
  readonly contributionId: number;
  readonly source: string;
}

/** @see ReverseContributionAnswer */
export function reverseContributionAnswer(reversed: ReversedContribution): ReverseContributionAnswer {
  return {
    operation: 'Reversal',
    peopleId: reversed.peopleId,
    contributionId: reversed.contributionId,
    source: `API Reverse (source=${reversed.source})`,
  };
}
