import { randomUUID } from 'node:crypto';
import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { NestApplicationOptions } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { HttpSettings } from './config/index.js';
import { problem, PROBLEM_JSON, REQUEST_ID_HEADER, requestId } from './http/index.js';

/** Options with which the application is created; no body parser: it would run before the guards. */
export const APP_OPTIONS = { bodyParser: false } satisfies NestApplicationOptions;

/** HTTP behaviour that is not a route's: what every answer carries, paths, proxies and time limits. */
export function setUpApp(app: NestExpressApplication, settings: HttpSettings): void {
  app.disable('x-powered-by');
  app.disable('etag');
  if (settings.trustProxy !== undefined) app.set('trust proxy', settings.trustProxy);
  app.use(requestId);
  if (settings.basePath !== '') app.setGlobalPrefix(settings.basePath, { exclude: ['health/live', 'health/ready'] });
  setTimeLimits(app.getHttpServer());
}

function setTimeLimits(server: Server): void {
  server.headersTimeout = 20_000;
  server.requestTimeout = 30_000;
  // Longer than a proxy keeps its own idle connections, so that it never sends into one that we close.
  server.keepAliveTimeout = 75_000;
  server.on('clientError', answerUnreadable);
  // These two Node would answer by itself, without a problem document and a request id; neither is worth a refusal.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  (server as Server & { requireHostHeader: boolean }).requireHostHeader = false;
}

/** What Node cannot read as HTTP never reaches a filter, and is answered here. */
function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const status = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }[error.code ?? ''] ?? 400;
  const id = randomUUID();
  const body = status === 400 ? JSON.stringify(problem('invalid_request', 'The request is not valid HTTP.', id)) : '';
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    `${REQUEST_ID_HEADER}: ${id}`,
    'Cache-Control: no-store',
    'Connection: close',
    ...(body === '' ? [] : [`Content-Type: ${PROBLEM_JSON}`]),
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
