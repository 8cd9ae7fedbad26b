import { createTransport, type NodemailerError, type SMTPTransportOptions } from 'nodemailer';
import { oneLine } from './one-line.js';
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

/** A reply with an enhanced status code (RFC 2034), which says more than its words. */
const HAS_STATUS_CODE = /^\d{3}[ -][245]\.\d{1,3}\.\d{1,3}\b/;

/** RFC 3463: the destination mailbox or its domain does not exist, has moved, or takes no mail (5.1.10, RFC 7505). */
const NO_SUCH_MAILBOX_CODE = /\b5\.1\.(1|2|3|6|10)\b/;

/** The same in words, as mail servers write it where they send no enhanced status code. */
const NO_SUCH_MAILBOX_TEXT = anyOf(
  'no such (local )?(user|mailbox|recipient|account|address|person)',
  '(user|recipient|mailbox|account|address) (is )?(unknown|not found)',
  '(unknown|nonexistent|non-existent) (local )?(user|recipient|mailbox|account|address)',
  "does not exist|doesn't exist",
  'unrouteable address',
);

/**
 * The server refuses something else: our sender, our host, or a mailbox that is full. Exim's sender verification quotes
 * what the sender's own server said, "no such user" included, so these words count first.
 */
const OTHER_REFUSAL_TEXT = anyOf(
  'mail from|return.?path|reverse|r?dns|ptr|sender|spf|dkim|dmarc|helo|ehlo|verif(y|ied|ication)|callout|callback|authenticat\\w*|relay\\w*',
  'block\\w*|black ?list\\w*|deny\\w*|denied|banned|policy|spam|reputation',
  'quota|full|exceeded|rate|too many|grey ?list\\w*|temporar\\w*|try again',
);

/**
 * True when the answer to RCPT TO says that the mailbox does not exist: only then can no further try help. Anything else
 * may be put right within three days: by an SPF record, an entry taken off a block list, or a mailbox that is emptied.
 * When in doubt the mail is tried again.
 */
function refusesRecipient({ command, responseCode = 0, response }: NodemailerError): boolean {
  const text = typeof response === 'string' ? response : '';
  if (command !== 'RCPT TO' || responseCode < 500 || OTHER_REFUSAL_TEXT.test(text)) return false;
  if (NO_SUCH_MAILBOX_CODE.test(text)) return true;
  return !HAS_STATUS_CODE.test(text) && NO_SUCH_MAILBOX_TEXT.test(text);
}

function anyOf(...phrases: readonly string[]): RegExp {
  return new RegExp(`\\b(${phrases.join('|')})\\b`, 'i');
}
