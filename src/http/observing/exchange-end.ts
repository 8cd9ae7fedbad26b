import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What is left to call for the exchanges on each connection. They share one listener of the connection. */
const outstanding = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls `callback` once when the exchange has ended: the answer was sent, or the connection was closed. "close" of the
 * response alone is not enough: Node handles pipelined requests at the same time, and a response that waits for earlier
 * ones emits nothing when the connection is closed.
 */
export function onceExchangeEnds({ socket }: IncomingMessage, response: ServerResponse, callback: () => void): void {
  let callbacks = outstanding.get(socket);
  if (callbacks === undefined) {
    const ofConnection = (callbacks = new Set());
    outstanding.set(socket, ofConnection);
    socket.once('close', () => {
      for (const end of ofConnection) end();
    });
  }
  const waiting = callbacks;
  const end = (): void => {
    if (waiting.delete(end)) callback();
  };
  waiting.add(end);
  response.once('close', end);
}
