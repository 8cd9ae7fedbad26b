/**
 * The codes of all failures a caller can meet, with the HTTP status of each: the contract's table "Errors".
 * An error with a code that is not here does not compile.
 */
export const STATUS_OF = {
  invalid_request: 400,
  malformed_json: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  contribution_not_found: 404,
  review_not_found: 404,
  bundle_not_found: 404,
  giver_not_found: 404,
  method_not_allowed: 405,
  already_reversed: 409,
  not_reversible: 409,
  not_reassignable: 409,
  bundle_changed: 409,
  request_in_progress: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  unknown_person: 422,
  person_not_found: 422,
  fund_not_found: 422,
  contribution_type_not_allowed: 422,
  bundle_type_not_found: 422,
  idempotency_key_reused: 422,
  transaction_id_reused: 422,
  currency_mismatch: 422,
  too_many_requests: 429,
  internal_error: 500,
  database_unavailable: 503,
  service_busy: 503,
} as const;

export type ErrorCode = keyof typeof STATUS_OF;

/**
 * A failure that is part of the contract. The message is the `detail` the caller reads: it says what happened and,
 * where the caller can do something, what; never SQL, paths or another person's data.
 */
export abstract class ExpectedError extends Error {
  abstract readonly code: ErrorCode;
}
