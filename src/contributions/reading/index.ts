export { READING_ACTIONS } from './audit-actions.js';
export { ReadingModule } from './reading.module.js';
export { READING_ENTITIES } from './entities.js';
