import { auditActions } from '../../audit/index.js';

export const SESSION_ACTIONS = auditActions('session', 'begin', 'end', 'refused');
