import type { NodemailerError, SMTPTransportOptions } from 'nodemailer';
import { oneLine } from './one-line.js';
import { type Mail, MailNotSentError, MailTransport } from './mail-transport.js';

/** Milliseconds. nodemailer's default limits reach ten minutes, and a server that hangs would delay all other mails. */
const LIMITS = {
  dnsTimeout: 10_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
  socketCloseTimeout: 1_000,
} satisfies SMTPTransportOptions;

const MAX_ERROR_LENGTH = 300;

const NO_STARTTLS =
  'The mail server does not offer STARTTLS, so it got neither a password nor a mail. Use smtps://, or allow it in SMTP_URL with requireTLS=false';

/**
 * Sends mails through the SMTP server of SMTP_URL. Each mail uses a new connection, because reversals are rare. A
 * password is sent only with TLS, unless the URL has `requireTLS` or `ignoreTLS`. nodemailer is loaded with the first
 * mail, because an idle service is to be small (docs/adr/0067-less-memory.md).
 */
export class SmtpTransport extends MailTransport {
  private readonly options: SMTPTransportOptions;
  private readonly password: string;

  constructor(url: string, limits: Partial<typeof LIMITS> = {}) {
    super();
    const { username, password, searchParams } = new URL(url);
    this.password = password;
    const closed = { disableFileAccess: true, disableUrlAccess: true };
    // Options here would override those of the URL.
    const isDecided = searchParams.has('requireTLS') || searchParams.has('ignoreTLS');
    const requireTLS = username !== '' && !isDecided;
    this.options = { url, ...LIMITS, ...limits, ...closed, ...(requireTLS && { requireTLS }) };
  }

  async send(mail: Mail, signal: AbortSignal): Promise<void> {
    try {
      // An object, because nodemailer would parse a text, which could name several addresses.
      const { createTransport } = await import('nodemailer');
      await createTransport(this.options).sendMail({ ...mail, to: { name: '', address: mail.to }, signal });
    } catch (error) {
      throw this.notSentError(error as NodemailerError);
    }
  }

  async verify(): Promise<void> {
    try {
      const { createTransport } = await import('nodemailer');
      await createTransport(this.options).verify();
    } catch (error) {
      throw this.notSentError(error as NodemailerError);
    }
  }

  private notSentError(error: NodemailerError): MailNotSentError {
    const details = [error.code, error.responseCode, error.command].filter((detail) => detail !== undefined);
    // The reason of an abort, such as a try that took too long, is in the cause.
    const reason = error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
    // Without an answer of the server its TLS failed, for example by an expired certificate.
    const isRefused = error.code === 'ETLS' && typeof error.response === 'string';
    const message = isRefused ? `${NO_STARTTLS} (${reason})` : reason;
    const text = oneLine(this.withoutPassword(message)).slice(0, MAX_ERROR_LENGTH);
    return new MailNotSentError(text, { reason: oneLine(details.join(' ')), isFinal: refusesRecipient(error) });
  }

  /** A server's answer may repeat what it was sent, including the password. */
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

/** A reply with an enhanced status code (RFC 2034), which is more reliable than the reply's words. */
const HAS_STATUS_CODE = /^\d{3}[ -][245]\.\d{1,3}\.\d{1,3}\b/;

/** RFC 3463: the destination mailbox or its domain does not exist, has moved, or accepts no mail (5.1.10, RFC 7505). */
const NO_SUCH_MAILBOX_CODE = /\b5\.1\.(1|2|3|6|10)\b/;

/** The same in words, as written by mail servers that send no enhanced status code. */
const NO_SUCH_MAILBOX_TEXT = anyPhrase(
  'no such (local )?(user|mailbox|recipient|account|address|person)',
  '(user|recipient|mailbox|account|address) (is )?(unknown|not found)',
  '(unknown|nonexistent|non-existent) (local )?(user|recipient|mailbox|account|address)',
  "does not exist|doesn't exist",
  'unrouteable address',
);

/**
 * The server refuses for another reason: our sender, our host, or a full mailbox. These words are checked first, because
 * Exim's sender verification quotes the sender's server, which may say "no such user".
 */
const OTHER_REFUSAL_TEXT = anyPhrase(
  'mail from|return.?path|reverse|r?dns|ptr|sender|spf|dkim|dmarc|helo|ehlo|verif(y|ied|ication)|callout|callback|authenticat\\w*|relay\\w*',
  'block\\w*|black ?list\\w*|deny\\w*|denied|banned|policy|spam|reputation',
  'quota|full|exceeded|rate|too many|grey ?list\\w*|temporar\\w*|try again',
);

/**
 * True if the answer to RCPT TO says that the mailbox does not exist. Only then can no further try help. Every other
 * problem may be solved within three days, for example by an SPF record, by removal from a block list, or by emptying the
 * mailbox. In doubt, the mail is tried again.
 */
function refusesRecipient({ command, responseCode = 0, response }: NodemailerError): boolean {
  const text = typeof response === 'string' ? response : '';
  if (command !== 'RCPT TO' || responseCode < 500 || OTHER_REFUSAL_TEXT.test(text)) return false;
  if (NO_SUCH_MAILBOX_CODE.test(text)) return true;
  return !HAS_STATUS_CODE.test(text) && NO_SUCH_MAILBOX_TEXT.test(text);
}

function anyPhrase(...phrases: readonly string[]): RegExp {
  return new RegExp(`\\b(${phrases.join('|')})\\b`, 'i');
}
