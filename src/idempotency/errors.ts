import { type ErrorKind, ExpectedError } from '../http/index.js';

export const REQUEST_IN_PROGRESS: ErrorKind = {
  code: 'request_in_progress',
  status: 409,
  when: 'The first call with this `Idempotency-Key` or `refundId` is still in progress. Repeat a little later.',
  example: 'A call with the same Idempotency-Key is still in progress. Please repeat this one later.',
};

export const IDEMPOTENCY_KEY_REUSED: ErrorKind = {
  code: 'idempotency_key_reused',
  status: 422,
  when: 'The `Idempotency-Key` was used before with other fields. Nothing was stored.',
  example: 'This Idempotency-Key was used for another request. Use a new key for each gift or reversal.',
};

/** The first call with this id is still in progress. */
export class RequestInProgressError extends ExpectedError {
  readonly kind = REQUEST_IN_PROGRESS;

  /** @param idName what the sender calls the id */
  constructor(idName: string) {
    super(`A call with the same ${idName} is still in progress. Please repeat this one later.`);
  }
}

/** The user has used the key for another request. */
export class IdempotencyKeyReusedError extends ExpectedError {
  readonly kind = IDEMPOTENCY_KEY_REUSED;

  /** @param firstAnswer the answer to that request. Only pages show it. */
  constructor(readonly firstAnswer: object) {
    super(IDEMPOTENCY_KEY_REUSED.example);
  }
}
