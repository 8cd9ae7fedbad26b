import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** The mail server of the demo. */
export interface DemoMailServer {
  readonly url: string;
  /** From now on it does not know this address. */
  forget(address: string): void;
  stop(): Promise<void>;
}

/** Starts a mail server on this machine that takes every mail and throws it away. */
export async function startDemoMailServer(): Promise<DemoMailServer> {
  const forgotten = new Set<string>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    closeTimeout: 100,
    onRcptTo: ({ address }, _session, done) => {
      const isUnknown = forgotten.has(address.toLowerCase());
      done(isUnknown ? Object.assign(new Error('5.1.1 No such user here'), { responseCode: 550 }) : undefined);
    },
    onData: (stream, _session, done) => {
      stream.resume();
      stream.once('end', done);
    },
  });
  // A client that ends its connection is no reason to stop.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    forget: (address) => forgotten.add(address),
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
