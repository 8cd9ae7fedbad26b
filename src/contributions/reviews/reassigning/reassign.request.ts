import { id, RequiredField } from '../../../http/index.js';

/** The body of ReassignContribution. */
export class ReassignRequest {
  @RequiredField(id, { description: 'The person that the gift belongs to.', examples: [153] })
  PeopleId!: number;
}
