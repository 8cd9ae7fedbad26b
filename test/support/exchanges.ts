import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, Server, ServerResponse } from 'node:http';

/** A request and its answer, as they went over the wire. */
export interface Exchange {
  readonly method: string;
  /** The route's pattern, "/Api/Bundles/:id"; undefined where no route was matched. */
  readonly route: string | undefined;
  /** Path and query as the service reads them. */
  readonly url: string;
  readonly requestHeaders: IncomingHttpHeaders;
  readonly requestBody: Buffer;
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
}

/** Hands over each exchange of a server whose answer went out whole. Nothing is read that the service does not read. */
export function watchExchanges(server: Server, note: (exchange: Exchange) => void): void {
  // First: what answers at once has answered when the next listener is called.
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

/** A listener for data would make the body flow before the service listens: its events are looked at on their way. */
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
