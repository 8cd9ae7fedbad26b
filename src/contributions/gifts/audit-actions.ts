import { auditActions } from '../../audit/index.js';

export const GIFT_ACTIONS = auditActions('contribution', 'preview');
