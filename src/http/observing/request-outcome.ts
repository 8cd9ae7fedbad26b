import type { Request, Response } from 'express';
import { requestIdOf } from './request-id.js';

/** What became of one request, in words that are ours: nothing here is a stranger's text but the id, which is checked. */
export interface RequestOutcome {
  readonly requestId: string;
  /** Undefined where no route was matched: then the method may be anything. */
  readonly method: string | undefined;
  /** The route's pattern, "/Api/Contributions/:id", or "unmatched". Never the path, which holds ids and sources. */
  readonly route: string;
  /** 0: the answer did not go out whole. */
  readonly status: number;
  /** Of a failure. */
  readonly code: string | undefined;
  /** Whom the guards let in; undefined for whom they did not. */
  readonly user: string | undefined;
  readonly seconds: number;
}

/** Keeps a failure's code with its answer. */
export function noteCode(response: Response, code: string): void {
  response.locals['code'] = code;
}

/** The outcome of a request whose answer is over. */
export function outcomeOf(request: Request, response: Response, seconds: number): RequestOutcome {
  // What Express and passport leave behind once a route is matched and a user is known.
  const { route, user } = request as unknown as { route?: { path: string }; user?: { username: string } };
  return {
    requestId: requestIdOf(response),
    method: route === undefined ? undefined : request.method,
    route: route?.path ?? 'unmatched',
    status: response.writableFinished ? response.statusCode : 0,
    code: response.locals['code'] as string | undefined,
    user: user?.username,
    seconds,
  };
}
