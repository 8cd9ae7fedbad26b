export { ImportsModule } from './imports.module.js';
export { IMPORT_ACTIONS } from './audit-actions.js';
