import { Bundle, BUNDLE_ACTIONS } from './bundles/index.js';
import { Deposit, DEPOSIT_ACTIONS, DepositAdjustment, DepositItem } from './deposits/index.js';
import { FormerFundName, Fund, FUND_ACTIONS } from './funds/index.js';
import { GIFT_ACTIONS } from './gifts/index.js';
import { IMPORT_ACTIONS, ImportFile, ImportFilePart } from './imports/index.js';
import { BundleType, Contribution, ContributionType, Payment } from './ledger/index.js';
import { READING_ACTIONS, READING_ENTITIES } from './reading/index.js';
import { Refund, REVERSAL_ACTIONS } from './reversals/index.js';
import { REASSIGNING_ACTIONS, Reassignment, Review, REVIEW_ACTIONS } from './reviews/index.js';

/** The actions that the parts of contributions record in the audit trail. */
export const CONTRIBUTIONS_ACTIONS = [
  FUND_ACTIONS,
  BUNDLE_ACTIONS,
  REVIEW_ACTIONS,
  REASSIGNING_ACTIONS,
  REVERSAL_ACTIONS,
  DEPOSIT_ACTIONS,
  IMPORT_ACTIONS,
  GIFT_ACTIONS,
  READING_ACTIONS,
];

/** The tables of the parts of contributions. */
export const CONTRIBUTIONS_ENTITIES = [
  ContributionType,
  Payment,
  Contribution,
  Refund,
  Deposit,
  DepositItem,
  DepositAdjustment,
  Fund,
  FormerFundName,
  BundleType,
  Bundle,
  Review,
  Reassignment,
  ImportFile,
  ImportFilePart,
  ...READING_ENTITIES,
];
