import { STATUS_CODES } from 'node:http';
import { listOf, Property } from '../document/property.js';
import { TEXTS, textUpTo } from '../../values/index.js';
import { type FieldFault, InvalidRequestError } from './errors.js';
import { type ErrorKind, ExpectedError } from './expected-error.js';

/** As many as a body of 1 MB, the largest one, has bytes: each unknown name in it is a fault. */
const MAX_FAULTS = 1024 * 1024;
/** More characters than it takes to name so many faults. */
const MAX_DETAIL = 100_000_000;

/** One invalid field in an answer. */
class FieldFaultAnswer implements FieldFault {
  @Property(textUpTo(200), { description: 'Spelled as in this document.', examples: ['Email'] })
  readonly field!: string;
  @Property(textUpTo(MAX_DETAIL), { description: 'What the field accepts.', examples: ['must be one e-mail address'] })
  readonly message!: string;
}

/** A problem document of RFC 9457 with the contract's additions. `Error` repeats `detail` for old callers. */
export class Problem {
  @Property({ type: 'string', const: 'about:blank' }, { description: 'Always the same.', examples: ['about:blank'] })
  readonly type!: 'about:blank';
  @Property(TEXTS.word, { description: 'The status in words.', examples: ['Bad Request'] })
  readonly title!: string;
  @Property(
    { type: 'integer', format: 'int32', minimum: 400, maximum: 599 },
    { description: 'The status.', examples: [400] },
  )
  readonly status!: number;
  @Property(textUpTo(MAX_DETAIL), {
    description: 'What happened and what to do, for people.',
    examples: ['Amount is required.'],
  })
  readonly detail!: string;
  @Property(
    { type: 'string', minLength: 1, maxLength: 64 },
    { description: 'The request id, as in `X-Request-Id`.', examples: ['9f4a1c1e-5f0b-4b6e-8a53-0c5d2f1e7a90'] },
  )
  readonly instance!: string;
  /** The API document adds the codes of all routes. */
  @Property({ type: 'string' }, { description: 'The error code, for programs.', examples: ['invalid_request'] })
  readonly code!: string;
  @Property(listOf(FieldFaultAnswer, MAX_FAULTS), { description: 'All invalid fields.', optional: true })
  readonly errors?: readonly FieldFaultAnswer[];
  @Property(
    { type: 'object' },
    {
      description:
        'With some codes of the status 409: what to look at before you try again, such as the present state of a person ' +
        'whom somebody else has edited.',
      examples: [{ peopleId: 152, first: 'John', last: 'Appleseed' }],
      optional: true,
    },
  )
  readonly current?: object;
  @Property(textUpTo(MAX_DETAIL), { description: 'The same text as `detail`.', examples: ['Amount is required.'] })
  readonly Error!: string;
}

/** The media type of every failure. */
export const PROBLEM_JSON = 'application/problem+json; charset=utf-8';

/** What a problem document can have besides its kind and its text. */
interface ProblemDetails {
  readonly faults?: readonly FieldFault[];
  readonly current?: object | undefined;
}

/** The details that an error gives. */
export function problemDetailsOf(error: unknown): ProblemDetails {
  if (error instanceof InvalidRequestError) return { faults: error.faults };
  return error instanceof ExpectedError ? { current: error.current } : {};
}

/** The problem document of a failure. */
export function problem(
  { code, status }: ErrorKind,
  detail: string,
  requestId: string,
  { faults = [], current }: ProblemDetails = {},
): Problem {
  return {
    type: 'about:blank',
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail,
    instance: requestId,
    code,
    ...(faults.length > 0 && { errors: faults }),
    ...(current !== undefined && { current }),
    Error: detail,
  };
}

/** The problem document of an error. */
export function problemOf(error: ExpectedError, requestId: string): Problem {
  return problem(error.kind, error.message, requestId, problemDetailsOf(error));
}
