import { ExpectedError } from '../../http/index.js';

/** A row without an id is a recorded gift if its time is church time, as an import without a time zone reads it. */
export class ReadInChurchTimeError extends ExpectedError {
  readonly code = 'transaction_id_reused';

  constructor(contributionId: number) {
    super(
      `Contribution ${contributionId} is this row, read in church time: an earlier import named no time zone. Name the ` +
        'time zone of the church in the mapping to read it as before. If that time was wrong, reverse the gift and import ' +
        'the row again. If this row is another gift, give it a TransactionId.',
    );
  }
}
