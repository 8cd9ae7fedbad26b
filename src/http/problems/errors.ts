import {
  FORBIDDEN,
  INVALID_REQUEST,
  MALFORMED_JSON,
  NOT_FOUND,
  PAYLOAD_TOO_LARGE,
  SERVICE_BUSY,
  UNSUPPORTED_MEDIA_TYPE,
} from './error-kinds.js';
import { type ErrorKind, ExpectedError } from './expected-error.js';
import { isFault, type Reading } from '../../values/index.js';

/** One invalid field, spelled as in the contract's tables, and what is accepted there. */
export interface FieldFault {
  readonly field: string;
  readonly message: string;
}

/** The request is readable but not acceptable; all faults are told at once. */
export class InvalidRequestError extends ExpectedError {
  readonly kind: ErrorKind = INVALID_REQUEST;

  constructor(
    message: string,
    readonly faults: readonly FieldFault[] = [],
  ) {
    super(message);
  }

  /** The error for fields that did not pass. */
  static ofFields(faults: readonly FieldFault[]): InvalidRequestError {
    return new InvalidRequestError(`${faults.map(({ field, message }) => `${field} ${message}`).join('; ')}.`, faults);
  }

  /** The error for those of these readings, by the name of the field, that found a fault. */
  static ofReadings(readings: Readonly<Record<string, Reading<unknown> | undefined>>): InvalidRequestError {
    return InvalidRequestError.ofFields(
      Object.entries(readings).flatMap(([field, reading]) =>
        reading !== undefined && isFault(reading) ? [{ field, message: reading.fault }] : [],
      ),
    );
  }
}

/** The text is sound, and the encoding of this installation's database cannot hold it. */
export class CharacterNotStorableError extends InvalidRequestError {
  constructor(character: string) {
    super(
      `The database of this installation is not in UTF-8 and cannot hold “${character}”. Nothing was stored. ` +
        'Its operator can put that right; until then send the text without it.',
    );
  }
}

/** A browser made the request for a page of another site. */
export class CrossSiteRequestError extends ExpectedError {
  readonly kind = FORBIDDEN;

  /** @param header by which the browser says so. */
  constructor(header: 'Origin' | 'Sec-Fetch-Site') {
    super(
      header === 'Origin'
        ? 'The header Origin names another site, whose pages may not call this. ' +
            'If the page is of this service, behind a proxy that changes Host, the service needs the setting PUBLIC_URL.'
        : 'The header Sec-Fetch-Site says that a page of another site makes this call, which it may not.',
    );
  }
}

/** Nobody's path. */
export class NothingHereError extends ExpectedError {
  readonly kind = NOT_FOUND;

  constructor() {
    super('There is nothing at this path.');
  }
}

/** The body is not JSON in UTF-8. */
export class MalformedJsonError extends ExpectedError {
  readonly kind = MALFORMED_JSON;
}

/** The body is larger than is read. */
export class PayloadTooLargeError extends ExpectedError {
  readonly kind = PAYLOAD_TOO_LARGE;
}

/** The body is of a type, charset or encoding that is not read. */
export class UnsupportedMediaTypeError extends ExpectedError {
  readonly kind = UNSUPPORTED_MEDIA_TYPE;
}

/** The caller should repeat the call after `retryAfterSeconds`, which the header `Retry-After` says. */
export abstract class RetryLaterError extends ExpectedError {
  override readonly headers: Readonly<Record<string, string>>;

  constructor(message: string, retryAfterSeconds: number) {
    super(message);
    this.headers = { 'Retry-After': String(retryAfterSeconds) };
  }
}

/** The service has too much to do; nothing was begun. */
export class ServiceBusyError extends RetryLaterError {
  readonly kind = SERVICE_BUSY;
}
