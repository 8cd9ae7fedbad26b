export { FundNotFoundError, NoDefaultFundError } from './errors.js';
export { FundsModule } from './funds.module.js';
export { Funds } from './funds.service.js';
