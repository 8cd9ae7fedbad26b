import { auditActions } from '../../audit/index.js';

export const FUND_ACTIONS = auditActions('fund', 'create', 'close', 'open', 'default');
