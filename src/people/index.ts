export { FindGiver } from './find-giver.service.js';
export type { Giver } from './giver.js';
export { PeopleModule } from './people.module.js';
