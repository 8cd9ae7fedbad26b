export { ContributionReversed } from './contribution-reversed.event.js';
