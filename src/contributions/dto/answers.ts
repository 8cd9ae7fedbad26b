import type { FoundGiver } from '../../people/index.js';
import type { AddedContribution } from '../added-contribution.js';
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

/** The answer of a dry run: what AddContribution would do. Nothing was stored. */
export interface DryRunAnswer {
  readonly wouldCreate: boolean;
  /** Null when a person would be created. */
  readonly peopleId: number | null;
  readonly matchedOn: readonly string[];
  /** All who match, best first. */
  readonly candidates: readonly number[];
}

/** @see DryRunAnswer */
export function dryRunAnswer({ by, peopleId, matchedOn, otherMatches }: FoundGiver): DryRunAnswer {
  const wouldCreate = by === 'created';
  return {
    wouldCreate,
    peopleId: wouldCreate ? null : peopleId,
    matchedOn,
    candidates: by === 'match' ? [peopleId, ...otherMatches] : [],
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
