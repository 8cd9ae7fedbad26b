import { auditActions } from '../../audit/index.js';

export const REVERSAL_ACTIONS = auditActions('contribution', 'reverse', 'reinstate', 'move');
