import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Injectable, Logger, OnModuleDestroy } from '@nestjs/common';
import { collectDefaultMetrics } from 'prom-client';
import type { MetricsSettings } from '../config/index.js';
import { Metrics } from './metrics.js';

/** Prometheus' usual port for exporters of this kind. */
const DEFAULT_PORT = 9_464;

/**
 * Serves `/metrics` on a port of its own, which the proxy in front of the API does not forward to. There is no
 * authentication, so it listens on the loopback address by default.
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
    const { port = DEFAULT_PORT, host } = settings;
    if (port === 'off') return undefined;
    const server = createServer((request, response) => void this.answer(request, response));
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

  private async answer({ method, url = '' }: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('Cache-Control', 'no-store').setHeader('X-Content-Type-Options', 'nosniff');
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

function addressOf(server: Server): string {
  const { address, port } = server.address() as AddressInfo;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}/metrics`;
}
