import { auditActions } from '../../audit/index.js';

export const FUND_ACTIONS = auditActions('fund', {
  create: 'created a fund',
  rename: 'renamed a fund',
  close: 'closed a fund',
  open: 'opened a closed fund',
  default: 'made a fund the default',
});
