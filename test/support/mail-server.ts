import type { AddressInfo } from 'node:net';
import { simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';

/** A mail that was taken. */
export interface ReceivedMail {
  readonly messageId: string;
  readonly subject: string;
}

/** A real SMTP server that takes everything. */
export interface MailServer {
  readonly url: string;
  readonly received: readonly ReceivedMail[];
  stop(): Promise<void>;
}

/** Starts it on a port of its own. It says "250" some time after it has taken a mail, so that a sender can die between. */
export async function startMailServer(hesitation = 20): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 100,
    onData: (stream, _session, done) => {
      simpleParser(stream).then(({ messageId = '', subject = '' }) => {
        received.push({ messageId, subject });
        setTimeout(done, hesitation);
      }, done);
    },
  });
  // A sender that was killed.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    received,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
