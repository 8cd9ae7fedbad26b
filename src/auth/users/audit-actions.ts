import { auditActions } from '../../audit/index.js';

export const USER_ACTIONS = auditActions('user', {
  create: 'created a user',
  'set-password': 'changed the password of a user',
  'set-email': 'changed the e-mail address of a user',
  enable: 'enabled a user',
  disable: 'disabled a user',
  grant: 'granted roles to a user',
  revoke: 'revoked roles of a user',
});
