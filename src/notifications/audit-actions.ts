import { auditActions } from '../audit/index.js';

export const NOTIFICATION_ACTIONS = auditActions('notification', {
  retry: 'sent a notice again',
});
