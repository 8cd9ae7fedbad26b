export { contactCommand } from './contact.command.js';
export { FindGiver, type FoundGiver, GIVER_DOUBTS, type GiverDoubt, WAYS_OF_FINDING } from './find-giver.service.js';
export type { Giver } from './giver.js';
export { EVIDENCE } from './match-points.js';
export { PeopleModule } from './people.module.js';
export { personCommand } from './person.command.js';
export { RefoldPersons } from './refold-persons.service.js';
export { PersonRecords } from './person-records.service.js';
export { PersonView } from './person-view.js';
