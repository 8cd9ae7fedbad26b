import type { ErrorKind } from './expected-error.js';

export const INVALID_REQUEST: ErrorKind = {
  code: 'invalid_request',
  status: 400,
  when:
    'A field, a part of the address or the `Idempotency-Key` is missing or invalid, or a query parameter is unknown or ' +
    'sent twice; `errors` names each. Or the call has a body, but takes none.',
  example: 'Email must be one e-mail address; Amount is required.',
};

export const MALFORMED_JSON: ErrorKind = {
  code: 'malformed_json',
  status: 400,
  when: 'The body is empty, not JSON, or not in UTF-8.',
  example: 'The body is not valid JSON.',
};

export const FORBIDDEN: ErrorKind = {
  code: 'forbidden',
  status: 403,
  when: 'The user lacks roles, or the token lacks a scope; `detail` names them. Or the header `Origin` or `Sec-Fetch-Site` shows that a page of another site makes the call.',
  example: 'Your user lacks the role APIWrite.',
};

export const NOT_FOUND: ErrorKind = {
  code: 'not_found',
  status: 404,
  when: 'There is nothing at this path, whatever the method.',
  example: 'There is nothing at this path.',
};

export const METHOD_NOT_ALLOWED: ErrorKind = {
  code: 'method_not_allowed',
  status: 405,
  when: 'The path exists, but does not take this method; the header `Allow` lists those it takes.',
  example: 'This path takes POST only.',
};

export const PAYLOAD_TOO_LARGE: ErrorKind = {
  code: 'payload_too_large',
  status: 413,
  when: 'The body is larger than 64 KB, or 1 MB for AddContributions, or 20 MB for a file.',
  example: 'The body must be at most 64 KB.',
};

export const UNSUPPORTED_MEDIA_TYPE: ErrorKind = {
  code: 'unsupported_media_type',
  status: 415,
  when: 'The body is not sent as `application/json` in UTF-8, or a file as `text/csv`, or is compressed.',
  example: 'The body must be sent as Content-Type: application/json, in UTF-8.',
};

export const INTERNAL_ERROR: ErrorKind = {
  code: 'internal_error',
  status: 500,
  when: 'A fault of the service. Whether anything was stored is unknown: repeat with the same key.',
  example: 'Something went wrong here. Please report the request id.',
};

export const DATABASE_UNAVAILABLE: ErrorKind = {
  code: 'database_unavailable',
  status: 503,
  when: 'The database cannot be reached, or does not answer in time. Repeat after `Retry-After` seconds, with the same key.',
  example: 'The database cannot be reached now. Please repeat the call.',
};

export const SERVICE_BUSY: ErrorKind = {
  code: 'service_busy',
  status: 503,
  when: 'The service is overloaded and did not process the call. Repeat after `Retry-After` seconds.',
  example: 'The service is busy. Please repeat the call.',
};
