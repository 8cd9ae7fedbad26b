import { auditActions } from '../../audit/index.js';

export const IMPORT_ACTIONS = auditActions('import', {
  begin: 'began to import a file',
  end: 'finished the import of a file',
  preview: 'tried the import of a file without recording it',
  upload: 'uploaded a file to import',
  read: 'read an uploaded file, or the result of its import',
  forget: 'deleted the content of an uploaded file',
});
