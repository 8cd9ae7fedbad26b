import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { FrontendReader, type TappedStatement, TapRecord } from './frontend-reader.js';

/** A proxy between a program and its PostgreSQL that records the statements. */
export interface WireTap {
  /** The URL of the database through this proxy. */
  readonly url: string;
  /** The statements of all connections since the last reset, in order. */
  readonly statements: readonly TappedStatement[];
  /** The round trips since the last reset: simple queries and Syncs, without those of connecting. */
  readonly roundTrips: number;
  reset(): void;
  close(): Promise<void>;
}

/** The result and the statements of one call. */
export interface TappedCall<T> {
  readonly result: T;
  readonly statements: readonly TappedStatement[];
  readonly roundTrips: number;
}

/** The number of repetitions. Jobs use the same connections, so the shortest of several calls is taken. */
export const TRIES = 5;

/**
 * Prepares and makes a call several times.
 * @returns the shortest: without statements of jobs, on a connection that had prepared all statements.
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
 * Opens a proxy in front of the PostgreSQL at this URL, which must be reached by TCP or a socket, without TLS. Records
 * only connections with this application name, without a program's background work, and forwards all.
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

/** The address of the server at this URL, for net.connect. */
export function serverAddress(url: string): { host: string; port: number } | { path: string } {
  const { hostname, port, searchParams } = new URL(url);
  const number = port === '' ? 5432 : Number(port);
  const directory = searchParams.get('host');
  if (directory?.startsWith('/') === true) return { path: `${directory}/.s.PGSQL.${number}` };
  return { host: hostname.replace(/^\[|\]$/g, ''), port: number };
}
