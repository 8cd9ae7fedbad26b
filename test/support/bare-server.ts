import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A server of bare sockets, for what no well-behaved server does. */
export interface BareServer {
  readonly port: number;
  /** How many connections there have been. */
  readonly calls: () => number;
  /** Ends it, and all its connections. */
  readonly stop: () => Promise<void>;
}

/** Starts one that does this with each connection, on this port or any. */
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
 * Passes everything on to the mail server on that port of this machine and back, but holds back each of its answers for
 * so long, the greeting aside.
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
