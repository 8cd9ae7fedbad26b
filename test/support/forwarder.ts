import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** An address that leads to one server at a time, like that of a cluster with a changing primary. */
export interface Forwarder {
  readonly port: number;
  /** Sends new connections to this local port, and cuts existing ones. */
  to(port: number): void;
  close(): Promise<void>;
}

/** Starts a forwarder to this local port. */
export async function startForwarder(first: number): Promise<Forwarder> {
  const sockets = new Set<Socket>();
  let target = first;
  const server = createServer((client) => {
    const onward = connect(target, '127.0.0.1');
    for (const [socket, other] of [
      [client, onward],
      [onward, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.once('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    to: (port) => {
      target = port;
      cut();
    },
    close: async () => {
      server.close();
      cut();
      await once(server, 'close');
    },
  };
}
