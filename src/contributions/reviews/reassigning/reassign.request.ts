import { id, OptionalField, RequiredField } from '../../../http/index.js';

/** The body of ReassignContribution. */
export class ReassignRequest {
  @RequiredField(id, { description: 'The person that the gift belongs to.', examples: [153] })
  PeopleId!: number;

  @OptionalField(id, {
    description: 'The person that you have seen. If the gift belongs to another one by now, nothing is changed.',
    examples: [152],
  })
  FromPeopleId?: number;
}
