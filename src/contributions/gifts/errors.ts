import { type ErrorKind, ExpectedError } from '../../http/index.js';
import { NO_CURRENCY } from './requests/currency-code.js';

export const ALREADY_REVERSED: ErrorKind = {
  code: 'already_reversed',
  status: 409,
  when: 'Nothing is left of the gift. `detail` says when it was last reversed, and by which source.',
  example: 'Contribution 1 was already reversed at 2026-07-27T03:00:00.000-05:00 by source txt2give.',
};

export const CURRENCY_MISMATCH: ErrorKind = {
  code: 'currency_mismatch',
  status: 422,
  when: '`Currency` is not the church’s currency. Nothing was stored.',
  example: 'The gift is in EUR, and this church takes USD only. Nothing was recorded.',
};

export const TRANSACTION_ID_REUSED: ErrorKind = {
  code: 'transaction_id_reused',
  status: 422,
  when:
    'The pair of `Source` and `TransactionId`, or the `refundId` of this source, was already sent with other fields. Nothing ' +
    'was stored.',
  example: 'TransactionId T-20260726-0042 of this Source was sent before, with other content.',
};

export const CONTRIBUTION_TYPE_NOT_ALLOWED: ErrorKind = {
  code: 'contribution_type_not_allowed',
  status: 422,
  when: '`ContributionTypeId` is unknown, or only the system may use it. Nothing was stored.',
  example: 'ContributionTypeId 7 is not a type that a caller may use.',
};

interface EarlierReversal {
  readonly contributionId: number;
  /** When it was last reversed: ISO 8601, in church time. */
  readonly at: string;
  /** Null if Finance reversed it. */
  readonly source: string | null;
}

/** Nothing is left of the gift that could be reversed. */
export class ContributionAlreadyReversedError extends ExpectedError {
  readonly kind = ALREADY_REVERSED;

  readonly contributionId: number;

  constructor({ contributionId, at, source }: EarlierReversal) {
    const by = source === null ? 'Finance' : `source ${source}`;
    super(`Contribution ${contributionId} was already reversed at ${at} by ${by}.`);
    this.contributionId = contributionId;
  }
}

/** The gift is not in the church's currency, or its currency is not a valid code. */
export class CurrencyMismatchError extends ExpectedError {
  readonly kind = CURRENCY_MISMATCH;

  /** @param currencies `sent` is the value of readCurrency, `own` is the church's currency. */
  constructor({ sent, own }: { readonly sent: string; readonly own: string }) {
    const found = sent === NO_CURRENCY ? 'Currency is not a code of three letters' : `The gift is in ${sent}`;
    super(`${found}, and this church takes ${own} only. Nothing was recorded.`);
  }
}

/** The pair of Source and TransactionId belongs to another gift of the same user. */
export class TransactionIdReusedError extends ExpectedError {
  readonly kind = TRANSACTION_ID_REUSED;

  constructor(transactionId: string) {
    super(`TransactionId ${transactionId} of this Source was sent before, with other content.`);
  }
}

/** A ContributionTypeId that is unknown, or that only the system may use. */
export class ContributionTypeNotAllowedError extends ExpectedError {
  readonly kind = CONTRIBUTION_TYPE_NOT_ALLOWED;

  constructor(contributionTypeId: number) {
    super(`ContributionTypeId ${contributionTypeId} is not a type that a caller may use.`);
  }
}
