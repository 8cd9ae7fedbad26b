export { COUNT, CURRENCY, DAY, MAX_CURRENCIES, MONEY, YEAR } from './answer-schemas.js';
export { ContributionNotFoundError, CONTRIBUTION_NOT_FOUND, TOTALS_NOT_READY, TotalsNotReadyError } from './errors.js';
export {
  DEFAULT_BUNDLE_TYPE,
  DEFAULT_CONTRIBUTION_TYPE,
  NON_CASH_TYPES,
  NON_DEDUCTIBLE_TYPE,
  OPEN,
  PAYMENT_METHODS,
  type PaymentMethod,
  PLEDGE_TYPE,
  RECORDED,
  REVERSED,
  REVERSED_TYPE,
  TYPE_NAMES,
} from './reference-data.js';
export { currentFund, isGift, isInFund, isOfPayment, isPart, isWhollyReversed } from './payment-rows.js';
export { displayTotals, describeTotals, isOfType, JOIN_GIFT, SUMS, sumsOf, Totals, TYPE_OF_GIFT } from './totals.js';
export { specialType, typeInWords } from './type-words.js';
export { FINANCE, GIFTS } from './api-groups.js';
export { Contribution } from './contribution.entity.js';
export { ContributionType } from './contribution-type.entity.js';
export { BundleType } from './bundle-type.entity.js';
export { Payment } from './payment.entity.js';
