import { Property } from '../../../http/index.js';
import { EVIDENCE } from '../../../people/index.js';
import type { AddedContribution } from '../recording/added-contribution.js';
import type { PreviewedGiver } from '../previews/preview-gift.service.js';
import { PLAIN_ID_SCHEMA } from '../../../values/index.js';

/** The answer of AddContribution. Fields have the contract's order and spelling. */
export class AddContributionAnswer {
  @Property(PLAIN_ID_SCHEMA, {
    description: 'The giver. You can send it as `PeopleId` with the next gift.',
    examples: [152],
  })
  readonly PeopleId!: number;

  @Property(PLAIN_ID_SCHEMA, { description: 'The gift. Reading and reversing it need this id.', examples: [1] })
  readonly ContributionId!: number;

  @Property({ type: 'boolean' }, { description: 'True if no person matched and one was created.', examples: [true] })
  readonly NewPerson!: boolean;

  @Property({ type: 'boolean' }, { description: 'True if several matched; the best one was used.', examples: [false] })
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

/** The answer of a dry run: the result that AddContribution would have. Nothing is stored. */
export class DryRunAnswer {
  @Property({ type: 'boolean' }, { description: 'True if no person matches: one would be created.', examples: [false] })
  readonly wouldCreate!: boolean;

  @Property(PLAIN_ID_SCHEMA, {
    description:
      'The person who would get the gift. Null if a person would be created. Without the role `Finance` it is also null ' +
      'if your user has not added a gift of this person yet.',
    examples: [152],
    nullable: true,
  })
  readonly peopleId!: number | null;

  @Property(
    { type: 'array', items: { type: 'string', enum: EVIDENCE } },
    {
      description: 'Details in which giver and person agree. Empty if `peopleId` is null.',
      examples: [['lastName', 'firstName', 'email']],
    },
  )
  readonly matchedOn!: readonly string[];

  @Property(
    { type: 'array', items: PLAIN_ID_SCHEMA },
    {
      description:
        'The matches, best first. Without the role `Finance`, only persons of whom your user has added a gift.',
      examples: [[152]],
    },
  )
  readonly candidates!: readonly number[];
}

/** @see DryRunAnswer */
export function dryRunAnswer({ wouldCreate, peopleId, matchedOn, candidates }: PreviewedGiver): DryRunAnswer {
  return { wouldCreate, peopleId: peopleId ?? null, matchedOn, candidates };
}
