import { ExpectedError } from '../../http/index.js';
import { NO_CURRENCY } from './requests/currency-code.js';

/** A gift is reversed at most once. */
export class ContributionAlreadyReversedError extends ExpectedError {
  readonly code = 'already_reversed';

  /** @param at the first reversal's instant in church time, ISO 8601. */
  constructor(
    readonly contributionId: number,
    at: string,
    source: string | null,
  ) {
    super(`Contribution ${contributionId} was already reversed at ${at} by source ${source ?? '(none)'}.`);
  }
}

/** The gift is in another currency than the church's, or in none that is known. */
export class CurrencyMismatchError extends ExpectedError {
  readonly code = 'currency_mismatch';

  /** @param sent as readCurrency returns it. */
  constructor(sent: string, own: string) {
    const found = sent === NO_CURRENCY ? 'Currency is not a code of three letters' : `The gift is in ${sent}`;
    super(`${found}, and this church takes ${own} only. Nothing was recorded.`);
  }
}

/** The pair of Source and TransactionId names another gift of the same user. */
export class TransactionIdReusedError extends ExpectedError {
  readonly code = 'transaction_id_reused';

  constructor(transactionId: string) {
    super(`TransactionId ${transactionId} of this Source was sent before, with other content.`);
  }
}

/** A ContributionTypeId that is unknown, or that only the system may use. */
export class ContributionTypeNotAllowedError extends ExpectedError {
  readonly code = 'contribution_type_not_allowed';

  constructor(contributionTypeId: number) {
    super(`ContributionTypeId ${contributionTypeId} is not a type that a caller may use.`);
  }
}
