import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A proxy in front of a service that makes some calls fail. */
export interface FlakyProxy {
  readonly url: string;
  /** The number of calls that it made fail. */
  readonly failed: () => number;
  close(): Promise<void>;
}

type Fate = 'answered here' | 'cut';

/**
 * Opens a proxy that makes the first two POSTs of each program fail whose User-Agent matches `agents`. It answers the
 * first with 502 and a date in Retry-After, as a proxy may during a restart of the service. It cuts the answer to the second after the service has done it.
 */
export async function openFlakyProxy(serviceUrl: string, agents: RegExp): Promise<FlakyProxy> {
  const fatesLeft = new Map<string, Fate[]>();
  let failed = 0;
  const server = createServer((incoming, outgoing) => {
    void pass(incoming, outgoing).catch(() => outgoing.destroy());
  });
  function fateOf({ method, headers: { 'user-agent': agent = '' } }: IncomingMessage): Fate | undefined {
    if (method !== 'POST' || !agents.test(agent)) return undefined;
    const left = fatesLeft.get(agent) ?? ['answered here', 'cut'];
    fatesLeft.set(agent, left);
    return left.shift();
  }
  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const fate = fateOf(incoming);
    if (fate !== undefined) failed++;
    if (fate === 'answered here') {
      const retryAfter = new Date(Date.now() + 1_000).toUTCString();
      outgoing.writeHead(502, { 'Content-Type': 'text/plain', 'Retry-After': retryAfter }).end('502 Bad Gateway');
      return;
    }
    const { method = '', url = '', headers } = incoming;
    const call = request(serviceUrl + url, { method, headers }).end(await buffer(incoming));
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    const body = await buffer(response);
    outgoing.writeHead(response.statusCode ?? 500, response.headers);
    if (fate === 'cut') outgoing.write(body.subarray(0, body.length / 2), () => outgoing.destroy());
    else outgoing.end(body);
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    failed: () => failed,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
