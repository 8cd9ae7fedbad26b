import { id, RequiredField } from '../../../http/index.js';

/** What reassigning a gift accepts. */
export class ReassignRequest {
  @RequiredField(id, { description: 'Whose gift it is.', examples: [153] })
  PeopleId!: number;
}
