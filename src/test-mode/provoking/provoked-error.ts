import { UNAUTHENTICATED, UnauthenticatedError } from '../../auth/index.js';
import { type ErrorKind, ExpectedError, INVALID_REQUEST, InvalidRequestError } from '../../http/index.js';

/** The statuses whose answers say after how many seconds to repeat the call. */
const RETRY_AFTER: readonly number[] = [429, 503];
/** Seconds: short, so that a test is quick. */
const WAIT = '1';

/** An error that the name of a giver has asked for. It has the status, code and headers of a real one. */
class ProvokedError extends ExpectedError {
  override readonly headers: Readonly<Record<string, string>>;

  constructor(readonly kind: ErrorKind) {
    super(`${kind.example} The name of the giver has asked this test system for it.`);
    this.headers = headersOf(kind);
  }
}

/** An error of this kind, which the name of a giver has asked for. */
export function provokedError(kind: ErrorKind): ExpectedError {
  // Only this kind names fields.
  if (kind === INVALID_REQUEST) return refusal('has asked this test system for this error');
  return new ProvokedError(kind);
}

/** The error for a last name that asks for nothing which the call can answer. */
export function unknownCode(first: string, codes: readonly string[]): ExpectedError {
  const known = [...codes].sort().join(', ');
  return refusal(`must be one of these, because First is “${first}” and this is a test system: ${known}`);
}

/** The error for the answer that a batch cannot give to one of its gifts. */
export function notInBatch(code: string): ExpectedError {
  return refusal(`must not be ${code} in a batch: send such a gift to AddContribution`);
}

function refusal(message: string): InvalidRequestError {
  return InvalidRequestError.ofFields([{ field: 'Last', message }]);
}

function headersOf({ code, status }: ErrorKind): Readonly<Record<string, string>> {
  if (code === UNAUTHENTICATED.code) return new UnauthenticatedError().headers;
  return RETRY_AFTER.includes(status) ? { 'Retry-After': WAIT } : {};
}
