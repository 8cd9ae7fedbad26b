export { ReverseContribution, type ReverseContributionCommand } from './reverse-contribution.service.js';
export { ReverseAsFinanceRequest } from './corrections/corrections.requests.js';
export { ReversalsModule } from './reversals.module.js';
export { Refund } from './taking/refund.entity.js';
export { REVERSAL_ACTIONS } from './audit-actions.js';
