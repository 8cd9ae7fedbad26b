import type { Request, Response } from 'express';
import { isFault, readPathId } from '../../values/index.js';
import { requestIdOf } from './request-id.js';

/** The outcome of one request. The request id is the only text from the caller, and it is validated. */
export interface RequestOutcome {
  readonly requestId: string;
  /** Undefined if no route matched, because then it may be any text. */
  readonly method: string | undefined;
  /** The route's pattern, "/Api/Contributions/:id", or "unmatched". Not the path, which contains sources. */
  readonly route: string;
  /** The id in the path, such as that of a contribution. Undefined if the path has none, or an invalid one. */
  readonly id: number | undefined;
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
  const { route, params, user } = request as unknown as {
    route?: { path: string };
    params?: Readonly<Record<string, unknown>>;
    user?: { username: string; token?: { id: number } };
  };
  return {
    requestId: requestIdOf(response),
    method: route === undefined ? undefined : request.method,
    route: route?.path ?? 'unmatched',
    id: idIn(params?.['id']),
    status: response.writableFinished ? response.statusCode : 0,
    code: response.locals['code'] as string | undefined,
    user: user?.username,
    tokenId: user?.token?.id,
    seconds,
  };
}

/** The id in a path. Only digits are accepted, because another text may be personal data. */
function idIn(text: unknown): number | undefined {
  const id = typeof text === 'string' ? readPathId(text) : undefined;
  return id === undefined || isFault(id) ? undefined : id.value;
}
