import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, Server, ServerResponse } from 'node:http';

/** A request and its answer, as sent over the network. */
export interface Exchange {
  readonly method: string;
  /** The route's pattern, "/Api/Bundles/:id"; undefined if no route matched. */
  readonly route: string | undefined;
  /** Path and query as the service reads them. */
  readonly url: string;
  readonly requestHeaders: IncomingHttpHeaders;
  readonly requestBody: Buffer;
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
}

/** Calls `note` for each exchange whose answer was sent completely. Reads no data that the service does not read. */
export function watchExchanges(server: Server, note: (exchange: Exchange) => void): void {
  // Before other listeners, because they may answer at once.
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const requestBody = chunksRead(request);
    const body = chunksWritten(response);
    response.once('close', () => {
      if (!response.writableFinished) return;
      const { route, method = '', url = '' } = request as IncomingMessage & { route?: { path: string } };
      note({
        method,
        route: route?.path,
        url,
        requestHeaders: request.headers,
        requestBody: Buffer.concat(requestBody),
        status: response.statusCode,
        headers: response.getHeaders(),
        body: Buffer.concat(body),
      });
    });
  });
}

/** Intercepts the events, because a listener for data would make the body flow before the service listens. */
function chunksRead(request: IncomingMessage): Buffer[] {
  const chunks: Buffer[] = [];
  const emit = request.emit.bind(request);
  request.emit = (event: string | symbol, ...args: unknown[]) => {
    if (event === 'data') chunks.push(Buffer.from(args[0] as Uint8Array));
    return emit(event, ...args);
  };
  return chunks;
}

function chunksWritten(response: ServerResponse): Buffer[] {
  const chunks: Buffer[] = [];
  const keep = (chunk: unknown): void => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk as string));
  };
  const { write, end } = response as unknown as Record<'write' | 'end', (...args: unknown[]) => unknown>;
  Object.assign(response, {
    write: (...args: unknown[]) => {
      keep(args[0]);
      return write.apply(response, args);
    },
    end: (...args: unknown[]) => {
      keep(args[0]);
      return end.apply(response, args);
    },
  });
  return chunks;
}
