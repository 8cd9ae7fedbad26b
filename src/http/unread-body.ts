import type { Request, Response } from 'express';

/**
 * How long the rest of a stranger's body is read after the answer. It is enough for a short body, so that the connection
 * stays usable. It is needed at all because a connection that is closed with unread data loses its answer.
 */
const LINGER_MS = 2_000;

/**
 * Limits what a caller without valid credentials can send. Such a body is never parsed, but Node reads it to its end
 * after the answer, which takes as long as the caller likes. So the connection is cut when the body has not ended
 * {@link LINGER_MS} after the answer.
 */
export function limitUnreadBody(request: Request, response: Response): void {
  response.once('finish', () => {
    // passport sets `user`. The time of a known caller's body is limited by the server's requestTimeout.
    if (request.complete || (request as { readonly user?: unknown }).user !== undefined) return;
    setTimeout(() => {
      if (!request.complete) request.socket.destroy();
    }, LINGER_MS).unref();
  });
}
