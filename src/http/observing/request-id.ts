import { randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';

/** What every answer carries, and the name under which the filter finds the request's id. */
export const REQUEST_ID_HEADER = 'X-Request-Id';

const CALLERS_OWN = /^[A-Za-z0-9._-]{1,64}$/;

/** Gives every answer its id, the caller's own where it sent a usable one, and forbids caches to keep it. */
export function giveRequestId(request: Request, response: Response): void {
  const sent = request.headers['x-request-id'];
  response.setHeader(REQUEST_ID_HEADER, typeof sent === 'string' && CALLERS_OWN.test(sent) ? sent : randomUUID());
  response.setHeader('Cache-Control', 'no-store');
  // To "If-None-Match: *" Express answers an empty 304, as if there were a cache that had kept something.
  delete request.headers['if-none-match'];
}

/** The id that {@link giveRequestId} gave to this request. */
export function requestIdOf(response: Response): string {
  return String(response.getHeader(REQUEST_ID_HEADER));
}
