import { PrivateAddressError } from './guarded-lookup.js';
import { ATTEMPT_LIMIT_MS, PlainHttpError } from './post-message.js';

/** The receiver answers this if it wants no more messages. */
const GONE = 410;

/** What became of an attempt. */
export interface AttemptResult {
  readonly isDelivered: boolean;
  /** Whether the receiver wants no more messages. */
  readonly isGone: boolean;
  /** The status of the answer; null if there was none. */
  readonly status: number | null;
  /** Why it failed, without a text of the receiver; null if it did not. */
  readonly error: string | null;
}

/** The result of an answer. Any status of 200 to 299 is a delivery; a redirect is none. */
export function resultOfAnswer(status: number): AttemptResult {
  const isDelivered = status >= 200 && status < 300;
  return { isDelivered, isGone: status === GONE, status, error: isDelivered ? null : faultOfStatus(status) };
}

/** The result of an attempt without an answer. */
export function resultOfError(error: unknown): AttemptResult {
  return { isDelivered: false, isGone: false, status: null, error: faultOfConnection(error) };
}

function faultOfStatus(status: number): string {
  if (status === GONE) return 'The receiver answered 410: it wants no more messages.';
  if (status >= 300 && status < 400) return `The receiver answered ${status}: redirects are not followed.`;
  return `The receiver answered ${status}.`;
}

function faultOfConnection(error: unknown): string {
  if (error instanceof PlainHttpError) return 'The URL begins with http://, which needs WEBHOOK_ALLOW_PRIVATE=1.';
  if (error instanceof PrivateAddressError) {
    return 'The address is private or not of the internet, which needs WEBHOOK_ALLOW_PRIVATE=1.';
  }
  const code = codeOf(error);
  if (code === 'ABORT_ERR') return `There was no answer within ${ATTEMPT_LIMIT_MS / 1_000} seconds.`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'The host name was not found.';
  if (code === 'ECONNREFUSED') return 'The connection was refused.';
  if (code === 'ECONNRESET') return 'The connection was closed before an answer.';
  return code === undefined ? 'The connection failed.' : `The connection failed: ${code}.`;
}

/** The code of an error of Node. If several addresses were tried, it is that of the first one. */
function codeOf(error: unknown): string | undefined {
  const { code, errors } = error as { code?: unknown; errors?: readonly unknown[] };
  if (typeof code === 'string') return code;
  return errors === undefined || errors.length === 0 ? undefined : codeOf(errors[0]);
}
