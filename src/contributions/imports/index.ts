export { ImportsModule } from './imports.module.js';
export { IMPORT_ACTIONS } from './audit-actions.js';
export { ImportFile } from './uploads/files/import-file.entity.js';
export { ImportFilePart } from './uploads/files/import-file-part.entity.js';
