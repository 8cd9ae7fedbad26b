import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A proxy on the way to a service. */
export interface UnsteadyDoor {
  readonly url: string;
  /** How many calls it has spoilt. */
  readonly spoilt: () => number;
  close(): Promise<void>;
}

type Fate = 'answered here' | 'cut';

/**
 * Opens one that spoils the first two POSTs of each program that `isSpoilt` names by its User-Agent: one it answers by
 * itself, as a proxy does whose service is being replaced; the other's answer it cuts in the middle, when all was done.
 */
export async function openUnsteadyDoor(serviceUrl: string, isSpoilt: RegExp): Promise<UnsteadyDoor> {
  const fatesLeft = new Map<string, Fate[]>();
  let spoilt = 0;
  const server = createServer((incoming, outgoing) => {
    void pass(incoming, outgoing).catch(() => outgoing.destroy());
  });
  function fateOf({ method, headers: { 'user-agent': agent = '' } }: IncomingMessage): Fate | undefined {
    if (method !== 'POST' || !isSpoilt.test(agent)) return undefined;
    const left = fatesLeft.get(agent) ?? ['answered here', 'cut'];
    fatesLeft.set(agent, left);
    return left.shift();
  }
  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const fate = fateOf(incoming);
    if (fate !== undefined) spoilt++;
    if (fate === 'answered here') {
      outgoing.writeHead(502, { 'Content-Type': 'text/plain' }).end('502 Bad Gateway');
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
    spoilt: () => spoilt,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
