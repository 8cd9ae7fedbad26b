import { once } from 'node:events';
import { createServer, request } from 'node:http';

/** How a proxy changes requests. */
export interface ProxyRules {
  /** The beginning of the path, which is removed. */
  readonly removedPath: string;
  /** Whether the proxy sends X-Forwarded-Host. It always replaces the Host header. */
  readonly forwardsHost: boolean;
}

export interface TestProxy {
  readonly port: number;
  stop(): Promise<void>;
}

/** Starts a proxy in front of the service at this port of this machine. */
export async function startTestProxy(port: number, servicePort: number, rules: ProxyRules): Promise<TestProxy> {
  const server = createServer((incoming, outgoing) => {
    const { method, url = '', headers } = incoming;
    const forwarded = rules.forwardsHost ? { 'x-forwarded-host': headers.host } : {};
    const upstream = request(
      {
        port: servicePort,
        host: '127.0.0.1',
        method,
        path: url.startsWith(`${rules.removedPath}/`) ? url.slice(rules.removedPath.length) : '/outside',
        headers: { ...headers, ...forwarded, host: 'app:3000' },
      },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    upstream.on('error', () => outgoing.destroy());
    incoming.pipe(upstream);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    port,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
