import { auditActions } from '../../audit/index.js';

export const GIFT_ACTIONS = auditActions('contribution', {
  preview: 'previewed a gift, and saw the matching person',
});
