import { Property } from '../../../http/index.js';
import { EVIDENCE, type FoundGiver } from '../../../people/index.js';
import type { AddedContribution } from '../added-contribution.js';
import { PLAIN_ID_SCHEMA } from '../../../values/index.js';

/** The answer of AddContribution, its fields in the contract's order and spelling. */
export class AddContributionAnswer {
  @Property(PLAIN_ID_SCHEMA, {
    description: 'The giver; may be sent as `PeopleId` with the next gift.',
    examples: [152],
  })
  readonly PeopleId!: number;

  @Property(PLAIN_ID_SCHEMA, { description: 'The gift: by this it is read back and reversed.', examples: [1] })
  readonly ContributionId!: number;

  @Property({ type: 'boolean' }, { description: 'Nobody matched, and a person was created.', examples: [true] })
  readonly NewPerson!: boolean;

  @Property({ type: 'boolean' }, { description: 'Several matched; the best one was taken.', examples: [false] })
  readonly MultipleMatches!: boolean;

  @Property({ type: 'string' }, { description: 'As sent.', examples: ['txt2give'], nullable: true })
  readonly Source!: string | null;
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
export class DryRunAnswer {
  @Property({ type: 'boolean' }, { description: 'Nobody matches: a person would be created.', examples: [false] })
  readonly wouldCreate!: boolean;

  @Property(PLAIN_ID_SCHEMA, {
    description: 'Whom the gift would go to; null when a person would be created.',
    examples: [152],
    nullable: true,
  })
  readonly peopleId!: number | null;

  @Property(
    { type: 'array', items: { type: 'string', enum: EVIDENCE } },
    { description: 'In what the giver and that person agree.', examples: [['lastName', 'firstName', 'email']] },
  )
  readonly matchedOn!: readonly string[];

  @Property({ type: 'array', items: PLAIN_ID_SCHEMA }, { description: 'All who match, best first.', examples: [[152]] })
  readonly candidates!: readonly number[];
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
