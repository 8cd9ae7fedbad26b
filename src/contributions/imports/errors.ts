import { ExpectedError } from '../../http/index.js';
import { TRANSACTION_ID_REUSED } from '../gifts/index.js';

/** A row without an id may be a new gift, or a recorded gift that was changed. */
export class AmbiguousRowError extends ExpectedError {
  readonly kind = TRANSACTION_ID_REUSED;

  constructor() {
    super(
      'A gift of the same name, e-mail, amount, date and Source is recorded with other content, and this file does not ' +
        'have its row: leave recorded rows as they were. If this row is another gift, give it a TransactionId.',
    );
  }
}

/** An earlier row of the same file has the same id. */
export class RepeatedTransactionIdError extends ExpectedError {
  readonly kind = TRANSACTION_ID_REUSED;

  /** @param line the line on which the first row with this id begins. */
  constructor(transactionId: string, line: number) {
    super(
      `TransactionId ${transactionId} is the id of the row on line ${line} already, with the same Source. If this row is ` +
        'another gift, give it another id.',
    );
  }
}

/** A row without an id equals a recorded gift if its time is read as church time, as by an import without a time zone. */
export class ReadInChurchTimeError extends ExpectedError {
  readonly kind = TRANSACTION_ID_REUSED;

  constructor(contributionId: number) {
    super(
      `Contribution ${contributionId} is this row, read in church time: an earlier import named no time zone. Name the ` +
        'time zone of the church in the mapping to read it as before. If that time was wrong, reverse the gift and import ' +
        'the row again. If this row is another gift, give it a TransactionId.',
    );
  }
}
