import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { INVALID_REQUEST } from './error-kinds.js';
import { problem, PROBLEM_JSON } from './problem.js';
import { isClosing } from '../early-answer.js';
import { onceExchangeEnds } from '../observing/exchange-end.js';
import { REQUEST_ID_HEADER } from '../observing/request-id.js';
import { continueWhenRead } from '../requests/continue-when-read.js';
import { SECURITY_HEADER_LINES } from '../security-headers.js';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Answers requests that never reach a route: bytes that are not HTTP, targets that are not paths, and requests that
 * Node would answer by itself, without a problem document and a request id.
 * @param headers that these answers have besides the usual ones.
 */
export function answerUnreadableRequests(server: Server, headers: Readonly<Record<string, string>>): void {
  const refuse = (socket: Duplex, status: number, detail: string): void => {
    writeRefusal(socket, { status, detail, headers });
  };
  /** How many requests are in flight on each connection. */
  const inFlight = new WeakMap<Duplex, number>();
  const count = (socket: Duplex, change: 1 | -1): void => {
    inFlight.set(socket, (inFlight.get(socket) ?? 0) + change);
  };
  const [handle] = server.listeners('request') as [Handler];
  server.removeListener('request', handle);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    if (isClosing(socket)) return;
    count(socket, 1);
    onceExchangeEnds(request, response, () => {
      count(socket, -1);
    });
    if (isPath(request.url)) handle(request, response);
    else refuse(request.socket, 400, 'The request target is not a path.');
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    // If an earlier request on this connection is still in flight, the caller would take a 400 for its answer, although
    // the gift may be recorded. A cut connection correctly means that the result is unknown.
    if (!socket.writable || error.code === 'ECONNRESET' || (inFlight.get(socket) ?? 0) > 0) socket.destroy();
    else refuse(socket, STATUS_OF_FAULT[error.code ?? ''] ?? 400, 'The request is not valid HTTP.');
  });
  server.on('connect', (_request, socket) => {
    refuse(socket, 400, 'This is no proxy.');
  });
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    continueWhenRead(request, response);
    server.emit('request', request, response);
  });
  // Accept requests with an unknown Expect header or without a Host header.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  (server as Server & { requireHostHeader: boolean }).requireHostHeader = false;
}

const STATUS_OF_FAULT: Readonly<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

/** Checked here because Express's parser prints several lines, with the caller's text, for an invalid URL. */
function isPath(target = ''): boolean {
  return target.startsWith('/') || URL.canParse(target);
}

interface Refusal {
  readonly status: number;
  readonly detail: string;
  readonly headers: Readonly<Record<string, string>>;
}

function writeRefusal(socket: Duplex, { status, detail, headers }: Refusal): void {
  const id = randomUUID();
  const body = JSON.stringify({ ...problem(INVALID_REQUEST, detail, id), title: STATUS_CODES[status], status });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    `${REQUEST_ID_HEADER}: ${id}`,
    'Cache-Control: no-store',
    ...SECURITY_HEADER_LINES,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
    `Content-Type: ${PROBLEM_JSON}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
