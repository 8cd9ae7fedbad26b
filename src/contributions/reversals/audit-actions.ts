import { auditActions } from '../../audit/index.js';

export const REVERSAL_ACTIONS = auditActions('contribution', {
  reverse: 'took back a gift, wholly or in part',
  reinstate: 'undid a reversal of a gift',
  move: 'moved a gift to another fund',
});
