import type { AddressInfo, Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A real SMTP server on its own port. */
export interface MailServer {
  readonly url: string;
  /** The accepted mails in the order of their arrival. */
  readonly mails: ParsedMail[];
  /** Accepts a mail, for a custom `onData`. @returns its Message-ID. */
  readonly take: (stream: Readable) => Promise<string>;
  /** Destroys all connections, or that of the client on this port. */
  readonly cut: (clientPort?: number) => void;
  stop(): Promise<void>;
}

/** A refusal in the form that smtp-server expects. */
export function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

/** How a mail server differs from one that accepts everything at once. */
interface Peculiarities {
  /** The port; otherwise a free one. */
  readonly port?: number;
  /** The milliseconds between accepting a mail and answering 250, in which a sender can be killed. */
  readonly hesitation?: number;
}

/** Starts a mail server that accepts everything, unless the options say otherwise. */
export async function startMailServer(
  options: SMTPServerOptions = {},
  { port = 0, hesitation = 0 }: Peculiarities = {},
): Promise<MailServer> {
  const mails: ParsedMail[] = [];
  const take = async (stream: Readable): Promise<string> => {
    const mail = await simpleParser(stream);
    mails.push(mail);
    return mail.messageId ?? '';
  };
  const sockets = new Set<Socket>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 100,
    onData: (stream, _session, done) => {
      take(stream).then(() => setTimeout(done, hesitation), done);
    },
    ...options,
  });
  // Errors of connections whose sender was killed.
  server.on('error', () => undefined);
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()));
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    mails,
    take,
    cut: (clientPort) => {
      for (const socket of sockets) {
        if (clientPort === undefined || socket.remotePort === clientPort) socket.destroy();
      }
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
