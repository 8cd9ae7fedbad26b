export { ContributionRecorded } from './contribution-recorded.event.js';
export { ContributionReversed } from './contribution-reversed.event.js';
export { REVERSAL_REASONS, type ReversalReason } from './reversal-reason.js';
