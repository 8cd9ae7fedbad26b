import { ExpectedError, DATABASE_UNAVAILABLE } from '../http/index.js';

/** The database answers, but its schema is older than this program. */
export class MigrationsPendingError extends ExpectedError {
  readonly kind = DATABASE_UNAVAILABLE;

  constructor(count: number) {
    super(`The database lacks ${count} migration${count === 1 ? '' : 's'}. Run: offertory database migrate`);
  }
}
