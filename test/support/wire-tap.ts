import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { FrontendReader, type TappedStatement, TapRecord } from './frontend-reader.js';

/** Stands between a program and its PostgreSQL, and tells what is asked. */
export interface WireTap {
  /** The database's URL, by way of this. */
  readonly url: string;
  /** Since the last reset, in the order in which they came, whichever connections they came on. */
  readonly statements: readonly TappedStatement[];
  /** How often since the last reset a client had to wait for an answer: simple queries and Syncs, connecting aside. */
  readonly roundTrips: number;
  reset(): void;
  close(): Promise<void>;
}

/** What one call has sent, and what it came to. */
export interface TappedCall<T> {
  readonly result: T;
  readonly statements: readonly TappedStatement[];
  readonly roundTrips: number;
}

/** Jobs go by the same connections, and some may come between: of so many calls the shortest is one by itself. */
export const TRIES = 5;

/**
 * Prepares and makes a call several times; what `make` has sent when nothing came between, and its connection had
 * prepared all of it before.
 */
export async function tapCall<Call, T>(
  tap: WireTap,
  prepare: () => Call | Promise<Call>,
  make: (call: Call) => Promise<T>,
): Promise<TappedCall<T>> {
  let shortest: TappedCall<T> | undefined;
  for (let i = 0; i < TRIES; i++) {
    const call = await prepare();
    tap.reset();
    const result = await make(call);
    const sent = { result, statements: [...tap.statements], roundTrips: tap.roundTrips };
    if (shortest === undefined || isShorter(sent, shortest)) shortest = sent;
  }
  if (shortest === undefined) throw new Error('No call was made');
  return shortest;
}

function isShorter(sent: TappedCall<unknown>, other: TappedCall<unknown>): boolean {
  const fewer = other.statements.length - sent.statements.length;
  return fewer > 0 || (fewer === 0 && sent.roundTrips < other.roundTrips);
}

/**
 * A proxy before the PostgreSQL of this URL, which must be reached by TCP or a socket and without TLS. Listens to the
 * connections of this application name alone, so that a program's background work does not count; passes all on.
 */
export async function openWireTap(url: string, applicationName: string): Promise<WireTap> {
  const sockets = new Set<Socket>();
  const record = new TapRecord();
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
    const database = connect(serverAddress(url));
    keep(client, () => database);
    keep(database, () => client);
    const reader = new FrontendReader(applicationName, record);
    client.on('data', (chunk: Buffer) => {
      reader.read(chunk);
      database.write(chunk);
    });
    database.pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const tapped = new URL(url);
  tapped.hostname = '127.0.0.1';
  tapped.port = String((server.address() as AddressInfo).port);
  tapped.searchParams.delete('host');
  return {
    url: tapped.toString(),
    get statements() {
      return record.statements;
    },
    get roundTrips() {
      return record.roundTrips;
    },
    reset: () => record.reset(),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Where the server of this URL listens, as net.connect takes it. */
export function serverAddress(url: string): { host: string; port: number } | { path: string } {
  const { hostname, port, searchParams } = new URL(url);
  const number = port === '' ? 5432 : Number(port);
  const directory = searchParams.get('host');
  if (directory?.startsWith('/') === true) return { path: `${directory}/.s.PGSQL.${number}` };
  return { host: hostname.replace(/^\[|\]$/g, ''), port: number };
}
