export { BundleClosed } from './bundle-closed.event.js';
export { ContributionRecorded } from './contribution-recorded.event.js';
export { ContributionReversed } from './contribution-reversed.event.js';
export { DepositReconciled } from './deposit-reconciled.event.js';
export { REASON_NAMES, REVERSAL_REASONS, type ReversalReason } from './reversal-reason.js';
