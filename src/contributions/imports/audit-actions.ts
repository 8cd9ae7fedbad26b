import { auditActions } from '../../audit/index.js';

export const IMPORT_ACTIONS = auditActions('import', {
  begin: 'began to import a file',
  end: 'finished the import of a file',
  preview: 'tried the import of a file without recording it',
});
