import { type ErrorKind, ExpectedError, InvalidRequestError } from '../../http/index.js';
import type { FundView } from './fund-view.js';

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

export const FUND_NAME_TAKEN: ErrorKind = {
  code: 'fund_name_taken',
  status: 409,
  when: 'Another fund has this name, or had it before it was renamed. Letter case, accents, spaces and punctuation do not matter.',
  example: 'There is already a fund with this name.',
};

export const FUND_CLOSED: ErrorKind = {
  code: 'fund_closed',
  status: 409,
  when: 'A closed fund cannot be the default.',
  example: 'Mission is closed. Open it first.',
};

export const FUND_CHANGED: ErrorKind = {
  code: 'fund_changed',
  status: 409,
  when: 'Somebody else has changed the fund, or the choice of the default fund, since you read it. `current` is the fund as it is now.',
  example: 'The fund is named Missions now. Nothing was changed.',
};

/** The name of a fund is blank, too long or has unusable characters. */
export class InvalidFundNameError extends InvalidRequestError {
  constructor(fault: string) {
    super(`The name ${fault}.`, [{ field: 'Name', message: fault }]);
  }
}

/** Another fund has this name, or has had it. */
export class FundNameTakenError extends ExpectedError {
  readonly kind = FUND_NAME_TAKEN;

  /** @param formerOf the fund that has had the name; undefined if one has it now. */
  constructor(formerOf?: number) {
    super(
      formerOf === undefined
        ? 'There is already a fund with this name.'
        : `This is a former name of fund ${formerOf}, by which gifts may still name it.`,
    );
  }
}

/** A closed fund cannot be made the default. */
export class FundClosedError extends ExpectedError {
  readonly kind = FUND_CLOSED;

  constructor(readonly fund: FundView) {
    super(`${fund.name} is closed. Open it first.`);
  }
}

/** Somebody else has renamed the fund, or chosen another default fund. */
export class FundChangedError extends ExpectedError {
  readonly kind = FUND_CHANGED;

  /** @param current the fund whose state the caller did not know. */
  constructor(
    what: 'name' | 'default',
    override readonly current: FundView,
  ) {
    const now = what === 'name' ? 'The fund is named' : 'The default fund is';
    super(`${now} ${current.name} now. Nothing was changed.`);
  }
}
