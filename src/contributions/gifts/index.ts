export { AddContribution, type AddContributionCommand, type ReviewOfGift } from './add-contribution.service.js';
export { GIFT_ACTIONS } from './audit-actions.js';
export type { AddedContribution } from './added-contribution.js';
export { alreadyReversed } from './already-reversed.js';
export {
  ContributionAlreadyReversedError,
  TransactionIdReusedError,
  TRANSACTION_ID_REUSED,
  ALREADY_REVERSED,
} from './errors.js';
export { GiftMetrics } from './gift-metrics.js';
export { recordedTransaction } from './gift-of-transaction.js';
export { GiftsModule } from './gifts.module.js';
export { AddContributionRequest } from './requests/add-contribution.request.js';
export { sentGift, toCommand } from './requests/request-to-command.js';
