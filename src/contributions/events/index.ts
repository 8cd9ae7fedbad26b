export { ContributionRecorded } from './contribution-recorded.event.js';
export { ContributionReversed } from './contribution-reversed.event.js';
