import {
  FORBIDDEN,
  INVALID_REQUEST,
  MALFORMED_JSON,
  NOT_FOUND,
  PAYLOAD_TOO_LARGE,
  SERVICE_BUSY,
  UNSUPPORTED_MEDIA_TYPE,
} from './error-kinds.js';
import type { CrossSiteHeader } from '../cross-site-header.js';
import { type ErrorKind, ExpectedError } from './expected-error.js';
import { isFault, type Reading } from '../../values/index.js';

/** One invalid field, spelled as in the contract's tables, and what the field accepts. */
export interface FieldFault {
  readonly field: string;
  readonly message: string;
}

/** The request is invalid. The error names all faults at once. */
export class InvalidRequestError extends ExpectedError {
  readonly kind: ErrorKind = INVALID_REQUEST;

  constructor(
    message: string,
    readonly faults: readonly FieldFault[] = [],
  ) {
    super(message);
  }

  /** The error for invalid fields. */
  static ofFields(faults: readonly FieldFault[]): InvalidRequestError {
    return new InvalidRequestError(`${faults.map(({ field, message }) => `${field} ${message}`).join('; ')}.`, faults);
  }

  /** The error for the faults among these readings, which are given by field name. */
  static ofReadings(readings: Readonly<Record<string, Reading<unknown> | undefined>>): InvalidRequestError {
    return InvalidRequestError.ofFields(faultsOfReadings(readings));
  }
}

/** The faults among these readings, which are given by field name. */
export function faultsOfReadings(readings: Readonly<Record<string, Reading<unknown> | undefined>>): FieldFault[] {
  return Object.entries(readings).flatMap(([field, reading]) =>
    reading !== undefined && isFault(reading) ? [{ field, message: reading.fault }] : [],
  );
}

/** The text is valid, but the encoding of this installation's database cannot store it. */
export class CharacterNotStorableError extends InvalidRequestError {
  constructor(character: string) {
    super(
      `The database of this installation is not in UTF-8 and cannot hold “${character}”. Nothing was stored. ` +
        'Its operator can put that right; until then send the text without it.',
    );
  }
}

const CROSS_SITE: Readonly<Record<CrossSiteHeader, string>> = {
  Origin:
    'The header Origin names another site, whose pages may not call this. ' +
    'If the page is of this service, behind a proxy that changes Host, the service needs the setting PUBLIC_URL.',
  'Sec-Fetch-Site': 'The header Sec-Fetch-Site says that a page of another site makes this call, which it may not.',
  'no Origin': 'The header Origin is missing. The forms of the console are sent by its own pages in a browser only.',
};

/** A page of another site made the request in a browser. */
export class CrossSiteRequestError extends ExpectedError {
  readonly kind = FORBIDDEN;

  /** @param header that shows this. */
  constructor(header: CrossSiteHeader) {
    super(CROSS_SITE[header]);
  }
}

/** No route has this path. */
export class PathNotFoundError extends ExpectedError {
  readonly kind = NOT_FOUND;

  constructor() {
    super(NOT_FOUND.example);
  }
}

/** The body is not JSON in UTF-8. */
export class MalformedJsonError extends ExpectedError {
  readonly kind = MALFORMED_JSON;
}

/** The body is too large. */
export class PayloadTooLargeError extends ExpectedError {
  readonly kind = PAYLOAD_TOO_LARGE;
}

/** The body has an unsupported media type, charset or encoding. */
export class UnsupportedMediaTypeError extends ExpectedError {
  readonly kind = UNSUPPORTED_MEDIA_TYPE;
}

/** The caller should repeat the call after `retryAfterSeconds`, the value of the header `Retry-After`. */
export abstract class RetryLaterError extends ExpectedError {
  override readonly headers: Readonly<Record<string, string>>;

  constructor(message: string, retryAfterSeconds: number) {
    super(message);
    this.headers = { 'Retry-After': String(retryAfterSeconds) };
  }
}

/** The service is overloaded and did not process the call. */
export class ServiceBusyError extends RetryLaterError {
  readonly kind = SERVICE_BUSY;
}
