export { ReverseContribution, type ReverseContributionCommand } from './reverse-contribution.service.js';
export { MoveContribution } from './corrections/move-contribution.service.js';
export { MoveRequest, ReverseAsFinanceRequest } from './corrections/corrections.requests.js';
export { ReinstateContribution } from './corrections/reinstate-contribution.service.js';
export { RefundIdReusedError, REVERSAL_EXCEEDS_GIFT } from './errors.js';
export { ReversalsModule } from './reversals.module.js';
export { Refund } from './taking/refund.entity.js';
export { REVERSAL_ACTIONS } from './audit-actions.js';
