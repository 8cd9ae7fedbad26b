import { auditActions } from '../../audit/index.js';

export const REVERSAL_ACTIONS = auditActions('contribution', {
  reverse: 'took back a gift, wholly or in part',
  reinstate: 'gave back what a reversal had taken',
  move: 'moved a gift to another fund',
});
