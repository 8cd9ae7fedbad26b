import { auditActions } from '../../audit/index.js';

export const TOKEN_ACTIONS = auditActions('token', { create: 'created a token', revoke: 'revoked a token' });
