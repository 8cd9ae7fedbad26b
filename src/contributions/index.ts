export { bundleCommand } from './bundles/bundle.command.js';
export { contributionCommand } from './reading/contribution.command.js';
export { ContributionsModule } from './contributions.module.js';
export { depositCommand } from './deposits/commands/deposit.command.js';
export { fundCommand } from './funds/fund.command.js';
export { importCommand } from './imports/import.command.js';
export { reviewCommand } from './reviews/review.command.js';
export { CONTRIBUTIONS_ACTIONS, CONTRIBUTIONS_ENTITIES } from './parts.js';
