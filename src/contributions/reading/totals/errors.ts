import { type ErrorKind, RetryLaterError } from '../../../http/index.js';

export const TOTALS_NOT_READY: ErrorKind = {
  code: 'totals_not_ready',
  status: 503,
  when: 'The books are still being summed up: after an upgrade to the first version with totals, or after somebody’s own SQL has changed a contribution. It takes a minute or two.',
  example: 'The books are still being summed up. Please try again in 15 seconds.',
};

const RETRY_SECONDS = 15;

/** Most of the books are not summed up yet. */
export class TotalsNotReadyError extends RetryLaterError {
  readonly kind = TOTALS_NOT_READY;

  constructor() {
    super(TOTALS_NOT_READY.example, RETRY_SECONDS);
  }
}
