import { Property } from '../../../http/index.js';
import { PLAIN_ID_SCHEMA } from '../../../values/index.js';

/** Where a gift went. */
export class ReassignedContribution {
  @Property(PLAIN_ID_SCHEMA, { description: 'The gift.', examples: [1] })
  readonly contributionId!: number;

  @Property(PLAIN_ID_SCHEMA, { description: 'Whose it was.', examples: [152] })
  readonly fromPeopleId!: number;

  @Property(PLAIN_ID_SCHEMA, {
    description: 'Whose it is; of a person who was merged, the one into whom.',
    examples: [153],
  })
  readonly toPeopleId!: number;
}
