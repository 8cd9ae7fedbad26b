export { contributionCommand } from './contribution.command.js';
export { ContributionsModule } from './contributions.module.js';
export { reviewCommand } from './review.command.js';
