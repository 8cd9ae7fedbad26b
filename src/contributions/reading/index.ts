export { READING_ACTIONS } from './audit-actions.js';
export { ReadingModule } from './reading.module.js';
