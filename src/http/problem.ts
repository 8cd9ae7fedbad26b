import { STATUS_CODES } from 'node:http';
import { ErrorCode, STATUS_OF } from './expected-error.js';
import type { FieldFault } from './errors.js';

/** A problem document of RFC 9457, with the contract's additions; `Error` repeats `detail` for old callers. */
export interface Problem {
  readonly type: 'about:blank';
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** The request id. */
  readonly instance: string;
  readonly code: ErrorCode;
  readonly errors?: readonly FieldFault[];
  readonly Error: string;
}

/** The media type of every failure. */
export const PROBLEM_JSON = 'application/problem+json; charset=utf-8';

/** The document that tells a caller of a failure. */
export function problem(
  code: ErrorCode,
  detail: string,
  requestId: string,
  faults: readonly FieldFault[] = [],
): Problem {
  const status = STATUS_OF[code];
  return {
    type: 'about:blank',
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail,
    instance: requestId,
    code,
    ...(faults.length > 0 && { errors: faults }),
    Error: detail,
  };
}
