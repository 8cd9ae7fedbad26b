import type { OnModuleInit } from '@nestjs/common';
import type { FinanceRecipients } from '../finance-recipients.js';
import { type Mail, MailNotSentError, MailTransport } from './mail-transport.js';

const SUBJECT = '[TEST]';
const FIRST_LINE = '[TEST] This mail is from a test system. No real gift was given or taken back.';
const BODY = /<body[^>]*>/;

/**
 * Sends the mails of a test system (ADR 61): each says what it is from, and none goes to anybody but Finance. All mails go
 * through here, whatever they are about.
 */
export class TestSystemTransport extends MailTransport implements OnModuleInit {
  constructor(
    private readonly transport: MailTransport & Partial<OnModuleInit>,
    private readonly recipients: FinanceRecipients,
  ) {
    super();
  }

  onModuleInit(): void {
    this.transport.onModuleInit?.();
  }

  async send(mail: Mail, signal: AbortSignal): Promise<void> {
    const allowed = await this.recipients.addresses();
    if (!allowed.includes(mail.to.toLowerCase())) {
      const message = 'A test system sends mails to Finance only, and this is no address of Finance any more.';
      throw new MailNotSentError(message, { reason: 'no recipient of a test system', isFinal: true });
    }
    await this.transport.send(marked(mail), signal);
  }

  async verify(): Promise<void> {
    await this.transport.verify();
  }
}

function marked(mail: Mail): Mail {
  return {
    ...mail,
    subject: `${SUBJECT} ${mail.subject}`,
    text: `${FIRST_LINE}\n\n${mail.text}`,
    html: withFirstLine(mail.html),
  };
}

function withFirstLine(html: string): string {
  const line = `<p><strong>${FIRST_LINE}</strong></p>`;
  return BODY.test(html) ? html.replace(BODY, (body) => `${body}\n${line}`) : `${line}\n${html}`;
}
