import type { Request, Response } from 'express';
import { requestIdOf } from './request-id.js';

/** The outcome of one request. The id is the only text from the caller, and it is validated. */
export interface RequestOutcome {
  readonly requestId: string;
  /** Undefined if no route matched, because then it may be any text. */
  readonly method: string | undefined;
  /** The route's pattern, "/Api/Contributions/:id", or "unmatched". Not the path, which contains ids and sources. */
  readonly route: string;
  /** 0 if the answer was cut off. */
  readonly status: number;
  /** The error code of a failure. */
  readonly code: string | undefined;
  /** The name of the authenticated user. */
  readonly user: string | undefined;
  /** The id of the token that the user logged in with; undefined for a password. */
  readonly tokenId: number | undefined;
  readonly seconds: number;
}

/** Stores a failure's code with the response, for {@link outcomeOf}. */
export function setErrorCode(response: Response, code: string): void {
  response.locals['code'] = code;
}

/** The outcome of a request after its answer. */
export function outcomeOf(request: Request, response: Response, seconds: number): RequestOutcome {
  // Express sets `route` when a route matches, and passport sets `user`.
  const { route, user } = request as unknown as {
    route?: { path: string };
    user?: { username: string; token?: { id: number } };
  };
  return {
    requestId: requestIdOf(response),
    method: route === undefined ? undefined : request.method,
    route: route?.path ?? 'unmatched',
    status: response.writableFinished ? response.statusCode : 0,
    code: response.locals['code'] as string | undefined,
    user: user?.username,
    tokenId: user?.token?.id,
    seconds,
  };
}
