import { Property } from '../../../http/index.js';
import type { AddedContribution } from '../recording/added-contribution.js';
import { PLAIN_ID_SCHEMA, TEXTS } from '../../../values/index.js';

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

  @Property(TEXTS.ownId, { description: 'As sent.', examples: ['txt2give'], nullable: true })
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
