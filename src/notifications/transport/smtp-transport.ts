import { createTransport, type NodemailerError, type SMTPTransportOptions } from 'nodemailer';
import { oneLine } from '../one-line.js';
import { type Mail, MailNotSentError, MailTransport } from './mail-transport.js';

/** Milliseconds. nodemailer's own limits reach ten minutes, and a server that hangs would hold up all the others. */
const LIMITS = {
  dnsTimeout: 10_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
  socketCloseTimeout: 1_000,
} satisfies SMTPTransportOptions;

const LONGEST_RECORD = 300;

/** Hands mails to the SMTP server of SMTP_URL, on a connection for each: reversals are rare. */
export class SmtpTransport extends MailTransport {
  private readonly transporter: ReturnType<typeof createTransport>;
  private readonly password: string;

  constructor(url: string, limits: Partial<typeof LIMITS> = {}) {
    super();
    this.password = new URL(url).password;
    const closed = { disableFileAccess: true, disableUrlAccess: true };
    this.transporter = createTransport({ url, ...LIMITS, ...limits, ...closed });
  }

  async send(mail: Mail, signal: AbortSignal): Promise<void> {
    try {
      // As an object the address is taken as it is; a text would be parsed, and could name several.
      await this.transporter.sendMail({ ...mail, to: { name: '', address: mail.to }, signal });
    } catch (error) {
      throw this.notSent(error as NodemailerError);
    }
  }

  async verify(): Promise<void> {
    try {
      await this.transporter.verify();
    } catch (error) {
      throw this.notSent(error as NodemailerError);
    }
  }

  private notSent(error: NodemailerError): MailNotSentError {
    const details = [error.code, error.responseCode, error.command].filter((detail) => detail !== undefined);
    // An abort hides its reason in the cause: that the try took too long.
    const told = error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
    const text = oneLine(this.withoutPassword(told)).slice(0, LONGEST_RECORD);
    return new MailNotSentError(text, oneLine(details.join(' ')), refusesRecipient(error));
  }

  /** A server may answer with whatever it likes, what it was sent among it. */
  private withoutPassword(text: string): string {
    return [this.password, percentDecoded(this.password)]
      .filter((spelling) => spelling !== '')
      .reduce((rest, spelling) => rest.replaceAll(spelling, '***'), text);
  }
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * True when the server says that there is no such mailbox: 550, 551 or 553 in answer to RCPT TO. A server that will
 * not relay for us, or wants a password first, uses the same codes; that is a setting somebody may yet put right.
 */
function refusesRecipient({ command, responseCode = 0, response }: NodemailerError): boolean {
  const aboutUs = /\b5\.7\.\d+\b|\brelay|\bauthentication/i.test(typeof response === 'string' ? response : '');
  return command === 'RCPT TO' && [550, 551, 553].includes(responseCode) && !aboutUs;
}
