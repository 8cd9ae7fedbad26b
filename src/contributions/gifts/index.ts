export { AddContribution } from './add-contribution.service.js';
export { AddContributions, type BatchResult } from './batches/add-contributions.service.js';
export { GiftScreening } from './batches/gift-screening.js';
export { MAX_GIFTS } from './batches/add-contributions.request.js';
export { MAX_SPLITS } from './requests/split.request.js';
export type { AddContributionCommand, ReviewOfGift } from './recording/add-contribution-command.js';
export { GIFT_ACTIONS } from './audit-actions.js';
export type { AddedContribution } from './recording/added-contribution.js';
export { alreadyReversed } from './already-reversed.js';
export {
  ContributionAlreadyReversedError,
  TransactionIdReusedError,
  TRANSACTION_ID_REUSED,
  ALREADY_REVERSED,
} from './errors.js';
export { GiftMetrics } from './gift-metrics.js';
export { recordedTransactions, type RecordedTransaction } from './recording/gift-of-transaction.js';
export { GiftsModule } from './gifts.module.js';
export { AddContributionRequest } from './requests/add-contribution.request.js';
export { sentGift, toCommand } from './requests/request-to-command.js';
