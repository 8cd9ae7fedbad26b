import { ExpectedError } from '../http/index.js';

/** The first call with this key has not been answered yet. */
export class RequestInProgressError extends ExpectedError {
  readonly code = 'request_in_progress';

  constructor() {
    super('A call with the same Idempotency-Key is still in progress. Please repeat this one later.');
  }
}

/** The key belongs to another request of the same user. */
export class IdempotencyKeyReusedError extends ExpectedError {
  readonly code = 'idempotency_key_reused';

  constructor() {
    super('This Idempotency-Key was used for another request. Use a new key for each gift or reversal.');
  }
}
