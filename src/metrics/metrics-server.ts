import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import { hostname } from 'node:os';
import { Injectable, Logger, OnModuleDestroy } from '@nestjs/common';
import { collectDefaultMetrics } from 'prom-client';
import type { MetricsSettings } from '../config/index.js';
import { Metrics } from './metrics.js';

/** Prometheus' usual port for exporters of this kind. */
const DEFAULT_PORT = 9_464;

const NOT_OWN_NAME =
  'Metrics are served at an IP address, localhost or the name of this machine. Add other names to METRICS_NAMES.\n';

/**
 * Serves `/metrics` on a port of its own, which the proxy in front of the API does not forward to. There is no
 * authentication, so it listens on the loopback address by default, and only answers requests for its own names.
 */
@Injectable()
export class MetricsServer implements OnModuleDestroy {
  private readonly logger = new Logger('Metrics');
  private server: Server | undefined;

  constructor(private readonly metrics: Metrics) {}

  /**
   * Starts to serve, unless METRICS_PORT is "off".
   * @returns the address, or undefined when nothing is served.
   * @throws Error when the port of METRICS_PORT cannot be used. If the default port cannot be used, the service starts
   * without metrics and logs a warning, because recording gifts is more important.
   */
  async start(settings: MetricsSettings): Promise<string | undefined> {
    const { port = DEFAULT_PORT, host, names } = settings;
    if (port === 'off') return undefined;
    const ownNames = new Set(['localhost', hostname(), host, ...names].map((name) => name.toLowerCase()));
    const server = createServer((request, response) => void this.answer(request, response, ownNames));
    // A connection that could not be accepted, for example for lack of sockets, must not end the process.
    server.on('error', () => undefined);
    server.headersTimeout = 5_000;
    server.requestTimeout = 5_000;
    try {
      server.listen(port, host);
      await once(server, 'listening');
    } catch (error) {
      const { code = 'unknown' } = error as NodeJS.ErrnoException;
      const message = `Metrics cannot be served at ${host}, port ${port} (${code}). Choose another METRICS_PORT, or set it to off.`;
      if (settings.port !== undefined) throw new Error(message, { cause: error });
      this.logger.warn(message);
      return undefined;
    }
    this.server = server;
    collectDefaultMetrics({ register: this.metrics.processRegistry });
    const url = addressOf(server);
    this.logger.log(`Metrics at ${url}`);
    return url;
  }

  onModuleDestroy(): void {
    this.server?.close();
    this.server?.closeAllConnections();
  }

  private async answer(
    { method, url = '', headers }: IncomingMessage,
    response: ServerResponse,
    ownNames: ReadonlySet<string>,
  ): Promise<void> {
    response.setHeader('Cache-Control', 'no-store').setHeader('X-Content-Type-Options', 'nosniff');
    if (!isOwn(headers.host, ownNames)) {
      response.writeHead(403, { 'Content-Type': 'text/plain; charset=utf-8' }).end(NOT_OWN_NAME);
      return;
    }
    if ((method !== 'GET' && method !== 'HEAD') || url.split('?', 1)[0] !== '/metrics') {
      response.writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8' }).end('There is only GET /metrics.\n');
      return;
    }
    try {
      const text = await this.metrics.expose();
      response.writeHead(200, { 'Content-Type': this.metrics.contentType }).end(text);
    } catch (error) {
      this.logger.error('The metrics could not be read', error instanceof Error ? error.stack : undefined);
      response.writeHead(500).end();
    }
  }
}

/**
 * Whether the host of a request is an IP address or one of these names. A page on the internet can let its own name point
 * to 127.0.0.1, and the browser then lets the page read the answer (DNS rebinding). The browser still sends the page's
 * name as Host, and that is never an address.
 */
function isOwn(host: string | undefined, names: ReadonlySet<string>): boolean {
  const name = host?.replace(/:\d+$/, '').toLowerCase();
  if (name === undefined) return false;
  return isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0 || names.has(name);
}

function addressOf(server: Server): string {
  const { address, port } = server.address() as AddressInfo;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}/metrics`;
}
