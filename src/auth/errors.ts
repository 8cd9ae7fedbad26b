import { type ErrorKind, ExpectedError, FORBIDDEN, RetryLaterError } from '../http/index.js';

export const UNAUTHENTICATED: ErrorKind = {
  code: 'unauthenticated',
  status: 401,
  when: 'The credentials are missing, malformed or wrong, or their user is disabled. Or the token is revoked, has expired, or is not accepted from this address.',
  example: 'This needs the user name of an API user with its password or a token, by HTTP Basic authentication.',
};

export const TOO_MANY_REQUESTS: ErrorKind = {
  code: 'too_many_requests',
  status: 429,
  when: 'Too many wrong passwords or tokens for this user name from this network, or too many calls of this user at the same time. Repeat after `Retry-After` seconds.',
  example: 'Too many failed logins. Please try again later.',
};

/** Missing, malformed or wrong credentials. The answer is the same for all three. */
export class UnauthenticatedError extends ExpectedError {
  readonly kind = UNAUTHENTICATED;
  override readonly headers = { 'WWW-Authenticate': 'Basic realm="Offertory", charset="UTF-8"' };

  constructor() {
    super(UNAUTHENTICATED.example);
  }
}

/** The caller lacks roles that the route requires. */
export class ForbiddenError extends ExpectedError {
  readonly kind = FORBIDDEN;
}

/** There were too many failed logins with this user name from this network, or too many calls of this user wait. */
export class TooManyRequestsError extends RetryLaterError {
  readonly kind = TOO_MANY_REQUESTS;
}

/** A command about users failed. The message says why. */
export class UserCommandError extends Error {}

/** A new password was refused. */
export class PasswordRefusedError extends UserCommandError {
  /** @param fault what a password must be, such as "must have at least 8 characters". */
  constructor(readonly fault: string) {
    super(`A password ${fault}.`);
  }
}
