import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A server of bare sockets, for misbehaviour. */
export interface BareServer {
  readonly port: number;
  /** The number of connections so far. */
  readonly calls: () => number;
  /** Closes the server and all its connections. */
  readonly stop: () => Promise<void>;
}

/** Starts a server that calls `onConnection` for each connection, on this port or a free one. */
export async function startBareServer(onConnection: (socket: Socket) => void, port = 0): Promise<BareServer> {
  const sockets = new Set<Socket>();
  let calls = 0;
  const server = createServer((socket) => {
    calls++;
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    calls: () => calls,
    stop: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/**
 * Forwards everything to the mail server on this local port and back, but delays each of its answers except the
 * greeting.
 */
export function slowLineTo(port: number, milliseconds: number): (socket: Socket) => void {
  return (client) => {
    const server = connect(port, '127.0.0.1');
    let answers = 0;
    client.pipe(server).on('error', () => client.destroy());
    server.on('data', (answer) => setTimeout(() => client.write(answer), answers++ === 0 ? 0 : milliseconds));
    client.once('close', () => server.destroy());
  };
}
