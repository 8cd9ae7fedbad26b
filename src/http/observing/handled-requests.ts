import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished } from 'node:stream/promises';
import { StreamableFile } from '@nestjs/common';
import type { ExpressAdapter } from '@nestjs/platform-express';

/** @param succeeded false if the service failed or the caller has left. */
type OnHandled = (succeeded: boolean) => void;

/** The work on one request. */
interface Handling {
  readonly onEnd: OnHandled[];
  /** What the answer is streamed from. */
  stream?: NodeJS.ReadableStream;
}

const underWay = new WeakMap<ServerResponse, Handling>();

/** Nest's handler of a route. */
export type RouteHandler = Parameters<ExpressAdapter['get']>[1];

/** Wraps the handler of a route, guards included, so that {@link onceHandled} knows when its work has ended. */
export function handled(handler: RouteHandler): RouteHandler {
  return async (request: IncomingMessage, response: ServerResponse, next) => {
    const handling: Handling = { onEnd: [] };
    underWay.set(response, handling);
    try {
      return (await handler(request, response, next)) as unknown;
    } finally {
      underWay.delete(response);
      // The answer must not wait for the stream, and a stream that fails is logged where it is made.
      if (handling.stream === undefined) end(handling, request, response);
      else
        void finished(handling.stream, { cleanup: true })
          .catch(() => undefined)
          .then(() => end(handling, request, response));
    }
  };
}

/**
 * Calls `callback` when the work on a request has ended: the handler has returned or thrown, and what it streams is read
 * or destroyed. A caller that leaves does not end the work. @throws Error if no route of the adapter handles it.
 */
export function onceHandled(response: ServerResponse, callback: OnHandled): void {
  const handling = underWay.get(response);
  if (handling === undefined) throw new Error('The route is not registered with PrototypedExpressAdapter');
  handling.onEnd.push(callback);
}

/** Notes what an answer is streamed from. */
export function noteStream(response: ServerResponse, body: unknown): void {
  const handling = underWay.get(response);
  if (handling !== undefined && body instanceof StreamableFile) handling.stream = body.getStream();
}

/** Whether nobody waits for the answer any more. */
export function isCallerGone({ socket }: IncomingMessage, response: ServerResponse): boolean {
  return !response.writableFinished && (response.closed || socket.destroyed);
}

function end({ onEnd }: Handling, request: IncomingMessage, response: ServerResponse): void {
  const succeeded = response.statusCode < 500 && !isCallerGone(request, response);
  for (const callback of onEnd) callback(succeeded);
}
