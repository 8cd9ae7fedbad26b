import { ExpectedError } from '../http/index.js';

/** Missing, malformed or wrong credentials; the answer is the same for all three. */
export class UnauthenticatedError extends ExpectedError {
  readonly code = 'unauthenticated';

  constructor() {
    super('This needs the user name and password of an API user, by HTTP Basic authentication.');
  }
}

/** The caller lacks roles that the route demands. */
export class ForbiddenError extends ExpectedError {
  readonly code = 'forbidden';
}

/** A command about users cannot be done as it was given; the message says why. */
export class UserCommandError extends Error {}
