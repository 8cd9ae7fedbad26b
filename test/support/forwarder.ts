import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** An address that leads to one server at a time, as that of a cluster does whose primary changes. */
export interface Forwarder {
  readonly port: number;
  /** From now on it leads there; connections to where it led before are cut. */
  to(port: number): void;
  close(): Promise<void>;
}

/** Starts one that leads to this port of this machine. */
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
