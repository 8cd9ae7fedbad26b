export { contactCommand } from './contacts/contact.command.js';
export { FindGiver } from './matching/find-giver.service.js';
export { type FoundGiver, WAYS_OF_FINDING } from './matching/found-giver.js';
export type { GiverBatch } from './matching/giver-batch.js';
export { GIVER_DOUBTS, type GiverDoubt } from './matching/giver-doubts.js';
export type { Giver } from './matching/giver.js';
export { foldContact, foldEmail, foldName } from './matching/folding.js';
export { foldGiver } from './matching/match-person.js';
export { EVIDENCE } from './matching/match-points.js';
export { PeopleModule } from './people.module.js';
export { personCommand } from './person.command.js';
export { RefoldPersons } from './refolding/refold-persons.service.js';
export { Contacts } from './contacts/contacts.service.js';
export { AddContactRequest, ReplaceContactRequest } from './contacts/contacts.requests.js';
export { type CreatedPerson, CreatePerson } from './records/create-person.service.js';
export { PersonHistory } from './records/person-history.service.js';
export { SimilarPersons } from './records/similar-persons.service.js';
export {
  changesOf,
  CLEARABLE,
  CreatePersonRequest,
  detailsOf,
  EditPersonRequest,
  MergePersonsRequest,
} from './records/people.requests.js';
export { PersonRecords } from './person-records.service.js';
export { ContactView, PersonView } from './person-view.js';
export type { PersonPosition } from './searching/person-page.js';
export type { FoundPersonView } from './searching/found-person-view.js';
export { IndexPersons } from './searching/index-persons.service.js';
export { type GiversFound, SearchPeople } from './searching/search-people.service.js';
export type { SimilarlyNamed } from './searching/similarly-named.js';
export { nameWords, notesWords, phoneTerm, searchedPhone, searchWords } from './searching/search-words.js';
export { survivingPersonId } from './merging/surviving-person.js';
export { PEOPLE } from './api-group.js';
export {
  ContactNotFoundError,
  GIVER_NOT_FOUND,
  GiverNotFoundError,
  SimilarPersonsError,
  PERSON_CHANGED,
  PERSON_MERGED,
  PERSON_NOT_FOUND,
  UNKNOWN_PERSON,
} from './errors.js';
export { MergePersons } from './merging/merge-persons.service.js';
export { agreementOf } from './matching/agreement.js';
export { CONTACT_ACTIONS, PERSON_ACTIONS } from './audit-actions.js';
export { PEOPLE_ENTITIES } from './entities.js';
