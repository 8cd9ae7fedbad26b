import { auditActions } from '../../audit/index.js';

export const USER_ACTIONS = auditActions(
  'user',
  'create',
  'set-password',
  'set-email',
  'enable',
  'disable',
  'grant',
  'revoke',
);
