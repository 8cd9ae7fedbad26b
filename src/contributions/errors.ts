import { ExpectedError, InvalidRequestError } from '../http/index.js';
import { NO_CURRENCY } from './currency-code.js';

/** A ContributionId that is nobody's, or nothing this caller may see. */
export class ContributionNotFoundError extends ExpectedError {
  readonly code = 'contribution_not_found';

  constructor(contributionId: number) {
    super(`There is no contribution ${contributionId}.`);
  }
}

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

/** A reversing entry cannot itself be reversed. */
export class ContributionNotReversibleError extends ExpectedError {
  readonly code = 'not_reversible';

  constructor(contributionId: number, reversesId: number) {
    super(
      `Contribution ${contributionId} is itself the reversal of contribution ${reversesId} and cannot be reversed.`,
    );
  }
}

/** A reversing entry goes where its gift goes. */
export class ContributionNotReassignableError extends ExpectedError {
  readonly code = 'not_reassignable';

  constructor(contributionId: number, reversesId: number) {
    super(
      `Contribution ${contributionId} is the reversal of contribution ${reversesId} and follows it: reassign that one.`,
    );
  }
}

/** A PeopleId in a path that is nobody's; one in a request is the people module's PersonNotFoundError. */
export class GiverNotFoundError extends ExpectedError {
  readonly code = 'giver_not_found';

  constructor(peopleId: number) {
    super(`There is no person ${peopleId}.`);
  }
}

/** A ReviewId that is no review's. */
export class ReviewNotFoundError extends ExpectedError {
  readonly code = 'review_not_found';

  constructor(reviewId: number) {
    super(`There is no review ${reviewId}.`);
  }
}

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

/** A BundleTypeId that is no bundle type's. */
export class BundleTypeNotFoundError extends ExpectedError {
  readonly code = 'bundle_type_not_found';

  constructor(bundleTypeId: number) {
    super(`There is no bundle type with BundleTypeId ${bundleTypeId}.`);
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

/** A row without an id that may be a gift of its own, or a recorded one that was changed. */
export class RowsNotToldApartError extends ExpectedError {
  readonly code = 'transaction_id_reused';

  constructor() {
    super(
      'A gift of the same name, e-mail, amount, date and Source is recorded with other content, and this file does not ' +
        'have its row: leave recorded rows as they were. If this row is another gift, give it a TransactionId.',
    );
  }
}

/** An id that an earlier row of the same file has. */
export class RepeatedTransactionIdError extends ExpectedError {
  readonly code = 'transaction_id_reused';

  /** @param line of the file, on which the first row with the id begins. */
  constructor(transactionId: string, line: number) {
    super(
      `TransactionId ${transactionId} is the id of the row on line ${line} already, with the same Source. If this row is ` +
        'another gift, give it another id.',
    );
  }
}

/** A ContributionTypeId that is unknown, or that only the system may use. */
export class ContributionTypeNotAllowedError extends ExpectedError {
  readonly code = 'contribution_type_not_allowed';

  constructor(contributionTypeId: number) {
    super(`ContributionTypeId ${contributionTypeId} is not a type that a caller may use.`);
  }
}

/** A BundleId that is no bundle's. */
export class BundleNotFoundError extends ExpectedError {
  readonly code = 'bundle_not_found';

  constructor(bundleId: number) {
    super(`There is no bundle ${bundleId}.`);
  }
}

/** A bundle does not hold what was compared with the bank: a gift may have come meanwhile. */
export class BundleChangedError extends ExpectedError {
  readonly code = 'bundle_changed';

  /** @param held its totals, in words */
  constructor(bundleId: number, held: string) {
    super(`Bundle ${bundleId} holds something else than you expect: ${held}. Compare it again; it was not closed.`);
  }
}

/** A position of a list from after the state that the books were put back to, by a restore or a failover. */
export class UnknownPositionError extends InvalidRequestError {
  /** @param since from when on a list of changes has all that came after that state, ISO 8601; null where that is unknown. */
  constructor(since: string | null) {
    const again = since === null ? 'Start again without it' : `Start again without it and with updatedSince=${since}`;
    const message =
      'is a position that these books do not have: a backup was restored, or another server took over, and what came ' +
      `after that state is lost. ${again}`;
    super(`after ${message}.`, [{ field: 'after', message }]);
  }
}

/** What a command about funds was given cannot be done; the message says why. */
export class FundCommandError extends Error {}
