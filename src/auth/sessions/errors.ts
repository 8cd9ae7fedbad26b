import { ForbiddenError, UNAUTHENTICATED } from '../errors.js';
import { ExpectedError } from '../../http/index.js';

/** A page needs a session, and the request has none that is valid. */
export class NotLoggedInError extends ExpectedError {
  readonly kind = UNAUTHENTICATED;

  constructor() {
    super('You are not logged in, or your session has ended.');
  }
}

/** A form was sent without the form token of its session. */
export class FormTokenError extends ForbiddenError {
  constructor() {
    super('This form is from another session. Nothing was changed. Go back, reload the page and send the form again.');
  }
}
