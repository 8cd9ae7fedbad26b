export { PersonMerged } from './person-merged.event.js';
