import { ForbiddenError } from '../errors.js';
import type { TokenScope } from './parsing/token-scope.js';

/** The call was made with a token that lacks the scope of the route. */
export class MissingScopeError extends ForbiddenError {
  /** @param scope undefined for a route that no token may call. */
  constructor(scope: TokenScope | undefined) {
    super(
      scope === undefined
        ? 'Tokens may not make this call. Use the password of the user.'
        : `Your token lacks the scope ${scope}.`,
    );
  }
}

/** A command about tokens failed. The message says why. */
export class TokenCommandError extends Error {}
