export { bundleCommand } from './bundles/bundle.command.js';
export { contributionCommand } from './contribution.command.js';
export { ContributionsModule } from './contributions.module.js';
export { fundCommand } from './funds/fund.command.js';
export { importCommand } from './import/import.command.js';
export { reviewCommand } from './review.command.js';
