export { PersonCreated } from './person-created.event.js';
export { PersonMerged } from './person-merged.event.js';
