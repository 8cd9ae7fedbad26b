import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Injectable, Logger, OnModuleDestroy } from '@nestjs/common';
import { collectDefaultMetrics } from 'prom-client';
import type { MetricsSettings } from '../config/index.js';
import { Metrics } from './metrics.js';

/** Where figures are served when METRICS_PORT does not say: the port that Prometheus' exporters of this kind use. */
const DEFAULT_PORT = 9_464;

/**
 * Serves `/metrics` on a port of its own, which no proxy of the API leads to. Nobody is asked who they are: so it
 * listens on the loopback address until told otherwise.
 */
@Injectable()
export class MetricsServer implements OnModuleDestroy {
  private readonly logger = new Logger('Metrics');
  private server: Server | undefined;

  constructor(private readonly metrics: Metrics) {}

  /**
   * Begins to serve, unless METRICS_PORT is "off".
   * @returns the address, or undefined when nothing is served.
   * @throws Error when a port that METRICS_PORT names cannot be had. The default one is not worth a start that fails:
   * then the log says so, and gifts are taken in all the same.
   */
  async start(settings: MetricsSettings): Promise<string | undefined> {
    const { port = DEFAULT_PORT, host } = settings;
    if (port === 'off') return undefined;
    const server = createServer((request, response) => void this.answer(request, response));
    // A connection that could not be taken, for want of sockets say, is no reason to end the process.
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
      this.logger.error('The figures could not be told', error instanceof Error ? error.stack : undefined);
      response.writeHead(500).end();
    }
  }
}

function addressOf(server: Server): string {
  const { address, port } = server.address() as AddressInfo;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}/metrics`;
}
