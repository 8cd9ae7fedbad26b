import type { Caller } from '../caller.js';

/** The methods that passport adds to a strategy during a request. */
interface PassportActions {
  success(caller: Caller): void;
  fail(): void;
  error(error: unknown): void;
}

/** Tells passport the result of a login; undefined fails. */
export function settle(strategy: object, login: Promise<Caller | undefined>): void {
  const passport = strategy as PassportActions;
  login.then(
    (caller) => {
      if (caller === undefined) passport.fail();
      else passport.success(caller);
    },
    (error: unknown) => {
      passport.error(error);
    },
  );
}
