import { auditActions } from '../../audit/index.js';

export const GIFT_ACTIONS = auditActions('contribution', {
  preview: 'tried a gift without recording it, and was told the person',
});
