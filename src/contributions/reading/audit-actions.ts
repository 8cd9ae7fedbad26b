import { auditActions } from '../../audit/index.js';

export const READING_ACTIONS = auditActions('contribution', 'read', 'list', 'search');
