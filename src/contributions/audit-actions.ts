import { BUNDLE_ACTIONS } from './bundles/index.js';
import { FUND_ACTIONS } from './funds/index.js';
import { IMPORT_ACTIONS } from './imports/index.js';
import { REVERSAL_ACTIONS } from './reversals/index.js';
import { REASSIGNING_ACTIONS, REVIEW_ACTIONS } from './reviews/index.js';

/** The actions of all parts of contributions. */
export const CONTRIBUTIONS_ACTIONS = [
  FUND_ACTIONS,
  BUNDLE_ACTIONS,
  REVIEW_ACTIONS,
  REASSIGNING_ACTIONS,
  REVERSAL_ACTIONS,
  IMPORT_ACTIONS,
];
