import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { simpleParser } from 'mailparser';
import type { SMTPServerOptions } from 'smtp-server';
import { startBareServer } from '../../../test/support/bare-server.js';
import { type MailServer, refusal, startMailServer } from '../../../test/support/mail-server.js';
import { type Mail, MailNotSentError } from './mail-transport.js';
import { SmtpTransport } from './smtp-transport.js';

const mail: Mail = {
  from: { name: 'Grace Church', address: 'gifts@example.org' },
  to: 'finance@example.org',
  subject: '[Offertory] Gift 12 reversed: USD 10.00 (txt2give)',
  text: 'Giver: Søren Ødegård\n',
  html: '<p>Giver: Søren Ødegård</p>',
  messageId: '<reversal.7f0c1a52.0123456789abcdef@notices.offertory>',
  date: new Date('2026-07-27T08:00:00Z'),
};
const unlimited = new AbortController().signal;

describe('sending by SMTP', () => {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    await Promise.all(closing.splice(0).map((close) => close()));
  });

  async function smtpServer(options: SMTPServerOptions): Promise<MailServer> {
    const server = await startMailServer(options);
    closing.push(() => server.stop());
    return server;
  }

  async function bareServer(onConnection: (socket: Socket) => void): Promise<string> {
    const { port, stop } = await startBareServer(onConnection);
    closing.push(stop);
    return `smtp://127.0.0.1:${port}`;
  }

  async function faultOf(sending: Promise<void>): Promise<MailNotSentError> {
    const error: unknown = await sending.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(MailNotSentError);
    return error as MailNotSentError;
  }

  it('sends the mail with its Message-ID', async () => {
    const { url, mails } = await smtpServer({});
    await new SmtpTransport(url).send(mail, unlimited);
    expect(mails).toHaveLength(1);
    expect(mails[0]).toMatchObject({ messageId: mail.messageId, subject: mail.subject, text: mail.text });
  });

  it('greets with the name in the URL', async () => {
    const names: string[] = [];
    const { url } = await smtpServer({
      onMailFrom: (_address, { hostNameAppearsAs }, done) => {
        names.push(hostNameAppearsAs);
        done();
      },
    });
    await new SmtpTransport(`${url}?name=giving.example.org`).send(mail, unlimited);
    expect(names).toEqual(['giving.example.org']);
  });

  it('does not send a mail without TLS if the URL requires it', async () => {
    const { url, mails } = await smtpServer({ disabledCommands: ['STARTTLS'] });
    const fault = await faultOf(new SmtpTransport(`${url}?requireTLS=true`).send(mail, unlimited));
    expect(fault).toMatchObject({ isFinal: false });
    expect(mails).toEqual([]);
  });

  it('sends to at most one recipient, whatever the address contains', async () => {
    const recipients: string[] = [];
    const { url } = await smtpServer({
      onRcptTo: ({ address }, _session, done) => {
        recipients.push(address);
        done();
      },
    });
    const to = 'finance@example.org, thief@example.org';
    await new SmtpTransport(url).send({ ...mail, to }, unlimited).catch(() => undefined);
    expect(recipients).not.toContain('thief@example.org');
    expect(recipients.length).toBeLessThanOrEqual(1);
  });

  it.each([
    [550, '5.1.1 no such user', true],
    [550, 'Unrouteable address', true],
    [553, 'no such mailbox', true],
    [550, '5.1.1 <finance@example.org>: Recipient address rejected: User unknown in virtual mailbox table', true],
    [550, '5.1.1 The email account that you tried to reach does not exist', true],
    [550, '5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup', true],
    [554, '5.1.2 Bad destination system address', true],
    [551, 'user not found', true],
    [550, 'The mailbox you wrote to does not exist', true],
    [550, '5.1.2 Host or domain name not found', true],
    [550, 'reverse DNS does not exist for 1.2.3.4', false],
    [550, 'PTR record does not exist', false],
    [550, 'The domain of the return path does not exist', false],
    [550, 'domain of MAIL FROM does not exist', false],
    [550, '5.7.25 The record does not exist', false],
    [550, '5.4.4 The name does not exist', false],
    [550, 'Sender verify failed', false],
    [550, 'No such user here\r\n550 Sender verify failed', false],
    [550, '5.1.8 <offertory@localhost>: Sender address rejected: Domain not found', false],
    [550, '5.1.7 Invalid sender', false],
    [550, '5.7.23 The message was rejected because of Sender Policy Framework violation', false],
    [550, 'SPF check failed', false],
    [550, '5.7.606 Access denied, banned sending IP', false],
    [554, '5.7.1 Service unavailable; Client host blocked using zen.spamhaus.org', false],
    [550, 'Blocked', false],
    [552, '5.2.2 Over quota', false],
    [550, '5.2.2 mailbox is over quota', false],
    [550, 'Requested action not taken: mailbox unavailable', false],
    [550, 'Administrative prohibition', false],
    [550, '5.7.1 relaying denied', false],
    [554, '5.7.1 Relay access denied', false],
    [530, 'Authentication required', false],
    [552, 'mailbox full', false],
    [450, 'greylisted', false],
  ])('treats "%i %s" for the recipient as final: %s', async (code, text, isFinal) => {
    const { url } = await smtpServer({
      onRcptTo: (_address, _session, done) => {
        done(refusal(code, text));
      },
    });
    const fault = await faultOf(new SmtpTransport(url).send(mail, unlimited));
    expect(fault).toMatchObject({ isFinal, reason: `EENVELOPE ${code} RCPT TO` });
    for (const line of text.split('\r\n')) expect(fault.message).toContain(line);
  });

  it.each<[string, SMTPServerOptions]>([
    [
      'the connection',
      {
        onConnect: (_session, done) => {
          done(refusal(421, 'too busy'));
        },
      },
    ],
    [
      'the sender',
      {
        onMailFrom: (_address, _session, done) => {
          done(refusal(550, 'no such sender'));
        },
      },
    ],
    [
      'the message',
      {
        onData: (stream, _session, done) => {
          stream.resume().on('end', () => {
            done(refusal(554, 'no'));
          });
        },
      },
    ],
  ])('allows a retry when the server refuses %s', async (_what, options) => {
    const { url } = await smtpServer(options);
    expect((await faultOf(new SmtpTransport(url).send(mail, unlimited))).isFinal).toBe(false);
  });

  it('sends the same Message-ID again after the connection was closed during the message', async () => {
    const { url, mails, cut } = await smtpServer({
      onData: (stream, _session, done) => {
        void simpleParser(stream).then((parsed) => {
          mails.push(parsed);
          // The server has accepted the mail, but its answer never arrives.
          if (mails.length === 1) cut();
          else done();
        });
      },
    });
    const transport = new SmtpTransport(url);
    expect((await faultOf(transport.send(mail, unlimited))).isFinal).toBe(false);
    await transport.send(mail, unlimited);
    expect(mails.map(({ messageId }) => messageId)).toEqual([mail.messageId, mail.messageId]);
  });

  it('gives up on a server that never greets', async () => {
    const url = await bareServer(() => undefined);
    const fault = await faultOf(new SmtpTransport(url, { greetingTimeout: 200 }).send(mail, unlimited));
    expect(fault).toMatchObject({ isFinal: false, reason: 'ETIMEDOUT CONN' });
  });

  it('ends an aborted attempt and its connection', async () => {
    const closed: Promise<void>[] = [];
    const url = await bareServer((socket) => {
      closed.push(
        new Promise((resolve) =>
          socket.on('close', () => {
            resolve();
          }),
        ),
      );
      socket.resume();
    });
    const fault = await faultOf(new SmtpTransport(url).send(mail, AbortSignal.timeout(200)));
    expect(fault.reason).toBe('EABORT');
    await Promise.all(closed);
  });

  it('reports a refused connection as such', async () => {
    const fault = await faultOf(new SmtpTransport('smtp://127.0.0.1:1').send(mail, unlimited));
    expect(fault.message).toContain('ECONNREFUSED');
  });

  it('never reveals the password, even if the server repeats it', async () => {
    const { url } = await smtpServer({
      authMethods: ['PLAIN'],
      onAuth: ({ password }, _session, done) => {
        done(refusal(535, `wrong password ${password ?? ''}`));
      },
    });
    const withLogin = url.replace('//', '//user:s%3Acret@');
    const fault = await faultOf(new SmtpTransport(withLogin).send(mail, unlimited));
    expect(fault.reason).toBe('EAUTH 535 AUTH PLAIN');
    expect(fault.message).toContain('wrong password ***');
    expect(fault.message).not.toMatch(/s:cret|s%3Acret/);
  });
});
