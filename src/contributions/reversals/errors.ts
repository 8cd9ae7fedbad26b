import { type ErrorKind, ExpectedError } from '../../http/index.js';
import { TRANSACTION_ID_REUSED } from '../gifts/index.js';
import { CONTRIBUTION_NOT_FOUND } from '../ledger/index.js';

export const NOT_REVERSIBLE: ErrorKind = {
  code: 'not_reversible',
  status: 409,
  when: 'The contribution is itself a reversing entry.',
  example: 'Contribution 2 is itself the reversal of contribution 1 and cannot be reversed.',
};

export const REVERSAL_EXCEEDS_GIFT: ErrorKind = {
  code: 'reversal_exceeds_gift',
  status: 422,
  when: 'Less is left of the gift, or of it in this fund, than `amount`. `detail` says how much. Nothing was stored.',
  example: 'Only USD 800.00 is left of contribution 1. Nothing was reversed.',
};

export const GIFT_CHANGED: ErrorKind = {
  code: 'gift_changed',
  status: 409,
  when:
    'Not `Left` is left of the payment any more, but `current.left`; or it is not in `FromFundId` any more, but in ' +
    '`current.fundIds`. Nothing was stored.',
  example: 'Not as much is left of contribution 1 as you have seen, but USD 80.00. Nothing was changed.',
};

export const NOT_REINSTATABLE: ErrorKind = {
  code: 'not_reinstatable',
  status: 409,
  when: 'Nothing was reversed of the gift, or everything that was reversed is reinstated already.',
  example: 'Nothing that was reversed of contribution 1 is left to reinstate.',
};

export const NOT_MOVABLE: ErrorKind = {
  code: 'not_movable',
  status: 409,
  when: 'Nothing is left of the gift, or all that is left is in this fund already, or the contribution is a reversing entry.',
  example: 'Nothing is left of contribution 1 that could be moved to fund 2.',
};

/** A reversing entry cannot itself be reversed. */
export class ContributionNotReversibleError extends ExpectedError {
  readonly kind = NOT_REVERSIBLE;

  constructor({ contributionId, reversesId }: { readonly contributionId: number; readonly reversesId: number }) {
    super(
      `Contribution ${contributionId} is itself the reversal of contribution ${reversesId} and cannot be reversed.`,
    );
  }
}

/** More is to be taken back than is left. */
export class ReversalExceedsGiftError extends ExpectedError {
  readonly kind = REVERSAL_EXCEEDS_GIFT;

  /** @param left with its currency: "USD 800.00" */
  constructor({ contributionId, fundId, left }: { contributionId: number; fundId: number | undefined; left: string }) {
    const where = fundId === undefined ? '' : ` in fund ${fundId}`;
    super(`Only ${left} is left of contribution ${contributionId}${where}. Nothing was reversed.`);
  }
}

/** No part of the payment was given to the fund, or is in it now. */
export class FundNotOfPaymentError extends ExpectedError {
  readonly kind = REVERSAL_EXCEEDS_GIFT;

  /** @param funds the names of the funds of the payment. */
  constructor(contributionId: number, funds: readonly string[]) {
    super(
      `The fund is no part of contribution ${contributionId}, which is a gift to ${[...new Set(funds)].join(' and ')}. ` +
        'Nothing was reversed.',
    );
  }
}

/** What is left of a payment now. */
interface PresentGift {
  readonly contributionId: number;
  /** With the decimals of the currency. */
  readonly left: string;
  readonly currency: string;
  /** The funds in which it is, if that was compared. */
  readonly fundIds?: readonly number[];
}

/** Somebody else has reversed, reinstated or moved a part of the payment since the caller has seen it. */
export class GiftChangedError extends ExpectedError {
  readonly kind = GIFT_CHANGED;

  /** @param what differs from what the caller has seen. */
  constructor(
    what: 'left' | 'funds',
    override readonly current: PresentGift,
  ) {
    const { contributionId, left, currency, fundIds = [] } = current;
    super(
      what === 'left'
        ? `Not as much is left of contribution ${contributionId} as you have seen, but ${currency} ${left}. Nothing was changed.`
        : `What is left of contribution ${contributionId} is in fund ${fundIds.join(' and ')} now. Nothing was changed.`,
    );
  }
}

/** No reversal is left to reinstate. */
export class NotReinstatableError extends ExpectedError {
  readonly kind = NOT_REINSTATABLE;

  /** @param reversals the first entry of each reversal, if one of them has to be named. */
  constructor(contributionId: number, reversals: readonly number[] = []) {
    super(
      reversals.length === 0
        ? `Nothing that was reversed of contribution ${contributionId} is left to reinstate.`
        : `Contribution ${contributionId} has several reversals. Name the reversing entry: ${reversals.join(' or ')}.`,
    );
  }
}

/** Nothing can be moved to the fund. */
export class NotMovableError extends ExpectedError {
  readonly kind = NOT_MOVABLE;

  constructor({ contributionId, fundId }: { readonly contributionId: number; readonly fundId: number }) {
    super(`Nothing is left of contribution ${contributionId} that could be moved to fund ${fundId}.`);
  }
}

/** The caller has added no gift with this source and transaction id. */
export class TransactionNotFoundError extends ExpectedError {
  readonly kind = CONTRIBUTION_NOT_FOUND;

  constructor({ source, transactionId }: { readonly source: string; readonly transactionId: string }) {
    super(`You have added no gift with the source ${source} and the TransactionId ${transactionId}.`);
  }
}

/** The user has sent the refund id for another reversal. */
export class RefundIdReusedError extends ExpectedError {
  readonly kind = TRANSACTION_ID_REUSED;

  constructor(refundId: string) {
    super(`RefundId ${refundId} of this source was sent before, with other content.`);
  }
}
