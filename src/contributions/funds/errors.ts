import { type ErrorKind, ExpectedError } from '../../http/index.js';

export const FUND_NOT_FOUND: ErrorKind = {
  code: 'fund_not_found',
  status: 422,
  when: 'There is no fund with this `FundId` or `FundName`. Nothing was stored.',
  example: 'There is no fund with FundId 9.',
};

/** There is no fund with this FundId. */
export class FundNotFoundError extends ExpectedError {
  readonly kind = FUND_NOT_FOUND;

  constructor(fundId: number) {
    super(`There is no fund with FundId ${fundId}.`);
  }
}

/** No fund, or more than one, has this FundName. */
export class FundNameNotFoundError extends ExpectedError {
  readonly kind = FUND_NOT_FOUND;

  /** @param found how many funds have the name. */
  constructor(found: number) {
    super(
      found === 0 ? 'There is no fund with this FundName.' : `${found} funds have this FundName. Send FundId instead.`,
    );
  }
}

/** The gift names no fund, and there is no default fund. */
export class NoDefaultFundError extends ExpectedError {
  readonly kind = FUND_NOT_FOUND;

  constructor() {
    super('There is no default fund: FundId is needed until the church has chosen one.');
  }
}

/** A command about funds is refused. The message says why. */
export class FundCommandError extends Error {}
