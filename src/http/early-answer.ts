import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { finished } from 'node:stream';

/**
 * How long the rest of a stranger's body is read after the answer. It is needed because a connection that is closed with
 * unread data loses its answer.
 */
const LINGER_MS = 2_000;

/** Connections whose last answer says that they are closed. */
const closing = new WeakSet<Socket>();

/** Whether no further request of this connection may be handled (RFC 9112, 9.6). */
export function isClosing(socket: Socket): boolean {
  return closing.has(socket);
}

/** Makes {@link isClosing} true. The answer that is sent must say so. */
export function closeAfterAnswer(socket: Socket): void {
  closing.add(socket);
}

/**
 * Closes the connection after an answer that is sent before its request's body has arrived, as a refusal of a caller without
 * credentials is. Call it before the head of an answer. If the connection stayed open, a proxy that has dropped the rest
 * of the body would send another caller's request as this rest (ADR 63).
 */
export function closeAfterEarlyAnswer(response: ServerResponse): void {
  const request = response.req;
  if (request.complete || response.headersSent || !announcesBody(request)) return;
  const { socket } = request;
  response.setHeader('Connection', 'close');
  closeAfterAnswer(socket);
  const destroySoon = socket.destroySoon.bind(socket);
  // Node calls it when the answer is sent.
  socket.destroySoon = () => {
    linger(request, destroySoon);
  };
}

function announcesBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Closes our side of the connection, and the other one when the body has ended. The body is thrown away. */
function linger(request: IncomingMessage, destroySoon: () => void): void {
  const { socket } = request;
  socket.end();
  finished(request, { writable: false }, destroySoon);
  request.resume();
  // passport sets `user`. The time of a known caller's body is limited by the server's requestTimeout.
  if ((request as { readonly user?: unknown }).user === undefined)
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
