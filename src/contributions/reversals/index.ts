export { ReversalsModule } from './reversals.module.js';
export { Refund } from './refund.entity.js';
export { REVERSAL_ACTIONS } from './audit-actions.js';
