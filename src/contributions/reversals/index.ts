export { ReversalsModule } from './reversals.module.js';
export { REVERSAL_ACTIONS } from './audit-actions.js';
