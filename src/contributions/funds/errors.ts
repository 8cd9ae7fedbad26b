import { ExpectedError } from '../../http/index.js';

/** A FundId that is no fund's. */
export class FundNotFoundError extends ExpectedError {
  readonly code = 'fund_not_found';

  constructor(fundId: number) {
    super(`There is no fund with FundId ${fundId}.`);
  }
}

/** No fund was named, and there is none for such gifts. */
export class NoDefaultFundError extends ExpectedError {
  readonly code = 'fund_not_found';

  constructor() {
    super('There is no default fund: FundId is needed until the church has chosen one.');
  }
}

/** What a command about funds was given cannot be done; the message says why. */
export class FundCommandError extends Error {}
