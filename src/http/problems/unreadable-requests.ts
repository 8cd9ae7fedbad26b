import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { INVALID_REQUEST } from './error-kinds.js';
import { problem, PROBLEM_JSON } from './problem.js';
import { REQUEST_ID_HEADER } from '../observing/request-id.js';
import { SECURITY_HEADER_LINES } from '../security-headers.js';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Answers what never reaches a route: bytes that are no HTTP, targets that are no path, and what Node would otherwise
 * answer by itself, without a problem document and a request id.
 */
export function answerUnreadable(server: Server): void {
  const inFlight = new WeakSet<Duplex>();
  const [handle] = server.listeners('request') as [Handler];
  server.removeListener('request', handle);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    inFlight.add(request.socket);
    response.once('close', () => inFlight.delete(request.socket));
    if (isPath(request.url)) handle(request, response);
    else refuse(request.socket, 400, 'The request target is not a path.');
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    // Bytes behind a request whose answer is still to come: a 400 now would be taken for that answer, though the gift
    // may have been recorded. A cut line says what is true: unknown.
    if (!socket.writable || error.code === 'ECONNRESET' || inFlight.has(socket)) socket.destroy();
    else refuse(socket, STATUS_OF_FAULT[error.code ?? ''] ?? 400, 'The request is not valid HTTP.');
  });
  server.on('connect', (_request, socket) => {
    refuse(socket, 400, 'This is no proxy.');
  });
  // Neither an odd expectation nor a missing Host is worth a refusal.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  (server as Server & { requireHostHeader: boolean }).requireHostHeader = false;
}

const STATUS_OF_FAULT: Readonly<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

/** Express's own parser warns, over several lines and with the caller's text, of absolute targets that are none. */
function isPath(target = ''): boolean {
  return target.startsWith('/') || URL.canParse(target);
}

function refuse(socket: Duplex, status: number, detail: string): void {
  const id = randomUUID();
  const body = JSON.stringify({ ...problem(INVALID_REQUEST, detail, id), title: STATUS_CODES[status], status });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    `${REQUEST_ID_HEADER}: ${id}`,
    'Cache-Control: no-store',
    ...SECURITY_HEADER_LINES,
    'Connection: close',
    `Content-Type: ${PROBLEM_JSON}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
