import { PersonView } from '../person-view.js';

/** What a search shows of a person. */
export type FoundPersonView = Pick<
  PersonView,
  'peopleId' | 'first' | 'last' | 'nickname' | 'formerLast' | 'deceased' | 'contacts'
>;
