export { FundNotFoundError, NoDefaultFundError, FUND_NOT_FOUND } from './errors.js';
export { FundsModule } from './funds.module.js';
export { Funds } from './funds.service.js';
export { FUND_ACTIONS } from './audit-actions.js';
export { Fund, MAX_FUND_NAME } from './fund.entity.js';
export { findFundsOfPayments } from './find-funds.js';
export { FormerFundName } from './naming/former-fund-name.entity.js';
export type { FundView } from './fund-view.js';
