import { RequiredField } from '../../http/index.js';
import { id } from './gift-fields.js';

/** What reassigning a gift accepts. */
export class ReassignRequest {
  @RequiredField(id) PeopleId!: number;
}
