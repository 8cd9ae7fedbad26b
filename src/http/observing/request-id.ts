import { randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';

/** The header with the request's id, in every answer. */
export const REQUEST_ID_HEADER = 'X-Request-Id';

const ACCEPTED_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** Sets the answer's request id, which is the caller's if it sent a valid one, and forbids caching. */
export function setRequestId(request: Request, response: Response): void {
  const sent = request.headers['x-request-id'];
  response.setHeader(REQUEST_ID_HEADER, typeof sent === 'string' && ACCEPTED_ID.test(sent) ? sent : randomUUID());
  response.setHeader('Cache-Control', 'no-store');
  // Express would answer "If-None-Match: *" with an empty 304, although nothing is cached.
  delete request.headers['if-none-match'];
}

/** The request's id, as {@link setRequestId} set it. */
export function requestIdOf(response: Response): string {
  return String(response.getHeader(REQUEST_ID_HEADER));
}
