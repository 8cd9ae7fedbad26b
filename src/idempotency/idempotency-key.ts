import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { documentParameter, InvalidRequestError, type Parameter } from '../http/index.js';
import { IDEMPOTENCY_KEY_REUSED, REQUEST_IN_PROGRESS } from './errors.js';
import { fault, isFault, read, type Reading } from '../values/index.js';

const HEADER = 'Idempotency-Key';
const HEADER_NAME = HEADER.toLowerCase();
const MAX_LENGTH = 255;

const PRINTABLE_ASCII = /^[\x20-\x7E]*$/;
/** A string of RFC 9651 (3.3.3): quoted, with a backslash only before quotes and backslashes. */
const QUOTED = /^"((?:[^"\\]|\\["\\])*)"$/;

const KEY: Parameter = {
  name: HEADER,
  in: 'header',
  // The maximum is the length of a quoted key in which each character is escaped.
  schema: { type: 'string', minLength: 1, maxLength: 2 * MAX_LENGTH + 2, pattern: PRINTABLE_ASCII.source },
  description:
    'Makes the call safe to repeat. Use a new key for each gift or reversal, for example a UUID. For 30 days the same key with ' +
    'the same fields gets the first answer again. 1 to 255 printable ASCII characters; a key with and without quotes is the same.',
  examples: ['6f1c7a52-0b7e-4b57-9b8e-3f8f2f2f7d10'],
};

/** Injects the caller's `Idempotency-Key`, or undefined, into a parameter of a handler. @throws InvalidRequestError */
export const IdempotencyKey = createParamDecorator(
  (_data: unknown, context: ExecutionContext): string | undefined => {
    const request = context.switchToHttp().getRequest<Request>();
    // Checked first because Node computes headersDistinct for all headers on access.
    const sent = request.headers[HEADER_NAME] === undefined ? undefined : request.headersDistinct[HEADER_NAME];
    if (sent === undefined) return undefined;
    const key = readIdempotencyKey(sent);
    if (isFault(key)) throw InvalidRequestError.ofFields([{ field: HEADER, message: key.fault }]);
    return key.value;
  },
  [
    (controller, method = '') => {
      const handler = (controller as Record<string | symbol, object | undefined>)[method];
      if (handler !== undefined) documentParameter(handler, KEY, [REQUEST_IN_PROGRESS, IDEMPOTENCY_KEY_REUSED]);
    },
  ],
);

/** Reads the key from the header's values. A key with and without quotes is the same. */
export function readIdempotencyKey([sent = '', ...others]: readonly string[]): Reading<string> {
  if (others.length > 0) return fault('must not be sent twice');
  const key = QUOTED.exec(sent)?.[1]?.replace(/\\(.)/g, '$1') ?? sent;
  const inBounds = key.length > 0 && key.length <= MAX_LENGTH && PRINTABLE_ASCII.test(key);
  return inBounds ? read(key) : fault(`must be 1 to ${MAX_LENGTH} printable ASCII characters`);
}
