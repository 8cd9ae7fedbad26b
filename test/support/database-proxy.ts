import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { serverAddress } from './wire-tap.js';

/**
 * Where a connection is cut: before COMMIT reaches the server, in the middle of that message, after the server has
 * committed but before any of its answer, or in the middle of that answer.
 */
export const CUTS = ['before COMMIT', 'inside COMMIT', 'before the answer', 'inside the answer'] as const;
export type Cut = (typeof CUTS)[number];

/** A proxy in front of PostgreSQL that understands enough of its protocol to cut a connection around a COMMIT. */
export interface DatabaseProxy {
  /** The URL of the database through this proxy. */
  readonly url: string;
  /** Sends new connections to another server, and cuts all others. */
  switchTo(url: string): void;
  close(): Promise<void>;
}

/**
 * Opens a proxy in front of the PostgreSQL at this URL, which must be reached without TLS.
 * @param chooseCut where to cut the next COMMIT of the connections named `applicationName`, or undefined
 */
export async function openDatabaseProxy(
  url: string,
  applicationName = '',
  chooseCut: () => Cut | undefined = () => undefined,
): Promise<DatabaseProxy> {
  const sockets = new Set<Socket>();
  let target = url;
  const keep = (socket: Socket, other: () => Socket): void => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      other().destroy();
    });
  };
  const server = createServer((client) => {
    const database = connect(serverAddress(target));
    keep(client, () => database);
    keep(database, () => client);
    pass(client, database, applicationName, chooseCut);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxied = new URL(url);
  proxied.hostname = '127.0.0.1';
  proxied.port = String((server.address() as AddressInfo).port);
  proxied.searchParams.delete('host');
  const cutAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: proxied.toString(),
    switchTo: (other) => {
      target = other;
      cutAll();
    },
    close: async () => {
      cutAll();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Forwards whole messages in both directions, until a COMMIT that is to be cut. */
function pass(client: Socket, database: Socket, applicationName: string, chooseCut: () => Cut | undefined): void {
  const requests = new MessageSplitter(false);
  const answers = new MessageSplitter(true);
  let isWatched = false;
  let cut: Cut | undefined;
  const end = (socket: Socket, rest: Buffer): void => {
    socket.write(rest, () => socket.destroy());
  };
  client.on('data', (chunk: Buffer) => {
    for (const message of requests.split(chunk)) {
      if (message.includes(`application_name\0${applicationName}\0`)) isWatched = true;
      if (isWatched && isCommit(message)) cut = chooseCut();
      if (cut === 'before COMMIT') {
        end(database, Buffer.alloc(0));
        return;
      }
      if (cut === 'inside COMMIT') {
        end(database, half(message));
        return;
      }
      database.write(message);
    }
  });
  database.on('data', (chunk: Buffer) => {
    for (const message of answers.split(chunk)) {
      if (isCommitted(message)) {
        if (cut === 'before the answer') {
          end(client, Buffer.alloc(0));
          return;
        }
        if (cut === 'inside the answer') {
          end(client, half(message));
          return;
        }
      }
      client.write(message);
    }
  });
}

/** A simple query, or the Parse of an unnamed statement. */
function isCommit(message: Buffer): boolean {
  const type = String.fromCharCode(Number(message[0]));
  const text = message.toString('latin1', 5);
  return (type === 'Q' && text === 'COMMIT\0') || (type === 'P' && text.startsWith('\0COMMIT\0'));
}

/** CommandComplete of a COMMIT. */
function isCommitted(message: Buffer): boolean {
  return message.toString('latin1', 0, 1) === 'C' && message.toString('latin1', 5) === 'COMMIT\0';
}

function half(message: Buffer): Buffer {
  return message.subarray(0, Math.ceil(message.length / 2));
}

/** Splits one direction of a connection into its messages (PostgreSQL's manual, "Message Formats"). */
class MessageSplitter {
  private unread: Buffer = Buffer.alloc(0);

  /** @param isTyped false for a client, whose first message has no type. */
  constructor(private isTyped: boolean) {}

  split(chunk: Buffer): Buffer[] {
    this.unread = Buffer.concat([this.unread, chunk]);
    const messages: Buffer[] = [];
    for (;;) {
      const typeBytes = this.isTyped ? 1 : 0;
      if (this.unread.length < typeBytes + 4) return messages;
      const end = typeBytes + this.unread.readInt32BE(typeBytes);
      if (this.unread.length < end) return messages;
      messages.push(this.unread.subarray(0, end));
      this.unread = this.unread.subarray(end);
      this.isTyped = true;
    }
  }
}
