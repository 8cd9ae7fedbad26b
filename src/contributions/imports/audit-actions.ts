import { auditActions } from '../../audit/index.js';

export const IMPORT_ACTIONS = auditActions('import', 'begin', 'end', 'preview');
