import { Property } from '../../../http/index.js';
import { PLAIN_ID_SCHEMA } from '../../../values/index.js';

/** A gift that was reassigned with its payment. */
export class ReassignedContribution {
  @Property(PLAIN_ID_SCHEMA, { description: 'As in the path.', examples: [1] })
  readonly contributionId!: number;

  @Property(PLAIN_ID_SCHEMA, { description: 'The person that it belonged to before.', examples: [152] })
  readonly fromPeopleId!: number;

  @Property(PLAIN_ID_SCHEMA, {
    description: 'The person that it belongs to. For a merged person, the surviving person.',
    examples: [153],
  })
  readonly toPeopleId!: number;
}
