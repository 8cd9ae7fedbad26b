import { type ErrorKind, ExpectedError } from '../../http/index.js';

export const FUND_NOT_FOUND: ErrorKind = {
  code: 'fund_not_found',
  status: 422,
  when: '`FundId` is no fund’s. Nothing was stored.',
  example: 'There is no fund with FundId 9.',
};

/** A FundId that is no fund's. */
export class FundNotFoundError extends ExpectedError {
  readonly kind = FUND_NOT_FOUND;

  constructor(fundId: number) {
    super(`There is no fund with FundId ${fundId}.`);
  }
}

/** No fund was named, and there is none for such gifts. */
export class NoDefaultFundError extends ExpectedError {
  readonly kind = FUND_NOT_FOUND;

  constructor() {
    super('There is no default fund: FundId is needed until the church has chosen one.');
  }
}

/** What a command about funds was given cannot be done; the message says why. */
export class FundCommandError extends Error {}
