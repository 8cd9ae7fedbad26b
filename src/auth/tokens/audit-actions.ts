import { auditActions } from '../../audit/index.js';

export const TOKEN_ACTIONS = auditActions('token', 'create', 'revoke');
