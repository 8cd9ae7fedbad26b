export { contactCommand } from './contact.command.js';
export { FindGiver, type FoundGiver, type GiverDoubt } from './find-giver.service.js';
export type { Giver } from './giver.js';
export { PeopleModule } from './people.module.js';
export { personCommand } from './person.command.js';
export { RefoldPersons } from './refold-persons.service.js';
export { PersonRecords, type PersonView } from './person-records.service.js';
