import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** A message that arrived, whether or not it was answered well. */
export interface ReceivedMessage {
  readonly path: string;
  /** The header `webhook-id`. */
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly content: { readonly type: string; readonly timestamp: string; readonly data: Record<string, unknown> };
}

/** What a receiver does with a request whose body it has read. */
export type Behaviour = (response: ServerResponse, message: ReceivedMessage, socket: Socket) => void;

/** Answers with a status and without a body. */
export const answering =
  (status: number, headers: Record<string, string> = {}): Behaviour =>
  (response) => {
    response.writeHead(status, headers).end();
  };

/** Closes the connection without an answer. */
export const resetting: Behaviour = (_response, _message, socket) => {
  socket.resetAndDestroy();
};

/** A server of somebody who receives webhooks. By default it answers 204. */
export class WebhookReceiver {
  readonly received: ReceivedMessage[] = [];
  /** What it does for requests of a path. */
  readonly behaviours = new Map<string, Behaviour>();
  /** How many connections were opened. */
  connections = 0;

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  /** @param port default: a free one. */
  static async start(port = 0): Promise<WebhookReceiver> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    const receiver = new WebhookReceiver(server, (server.address() as AddressInfo).port);
    server.on('connection', () => receiver.connections++);
    server.on('request', (request, response) => void receiver.receive(request, response));
    return receiver;
  }

  /** The URL of a path. */
  url(path = '/hooks'): string {
    return `http://127.0.0.1:${this.port}${path}`;
  }

  /** The messages of a path. */
  at(path: string): readonly ReceivedMessage[] {
    return this.received.filter((message) => message.path === path);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    const body = Buffer.concat(chunks).toString();
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const),
    );
    const path = request.url ?? '';
    const content = JSON.parse(body) as ReceivedMessage['content'];
    const message = { path, id: headers['webhook-id'] ?? '', headers, body, content };
    this.received.push(message);
    (this.behaviours.get(path) ?? answering(204))(response, message, request.socket);
  }
}

/** Whether the library accepts a message with this secret. */
export function verifies({ body, headers }: Pick<ReceivedMessage, 'body' | 'headers'>, secret: string): boolean {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}
