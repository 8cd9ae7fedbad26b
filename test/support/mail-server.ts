import type { AddressInfo, Socket } from 'node:net';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A real SMTP server on a port of its own. */
export interface MailServer {
  readonly url: string;
  /** What was taken, in the order in which it came. */
  readonly mails: ParsedMail[];
  /** Destroys all connections. */
  readonly cut: () => void;
  stop(): Promise<void>;
}

/**
 * Starts one that takes everything, unless the options have it do otherwise. It says "250" so many milliseconds after it
 * has taken a mail: a sender can die between.
 */
export async function startMailServer(options: SMTPServerOptions = {}, hesitation = 0): Promise<MailServer> {
  const mails: ParsedMail[] = [];
  const sockets = new Set<Socket>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 100,
    onData: (stream, _session, done) => {
      simpleParser(stream).then((mail) => {
        mails.push(mail);
        setTimeout(done, hesitation);
      }, done);
    },
    ...options,
  });
  // A sender that was killed.
  server.on('error', () => undefined);
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    mails,
    cut: () => {
      for (const socket of sockets) socket.destroy();
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
