/** One message to one recipient. */
export interface Mail {
  readonly from: { readonly name: string; readonly address: string };
  /** An address without a name. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** With angle brackets. It is the same in every try. */
  readonly messageId: string;
  /** When it is sent. */
  readonly date: Date;
}

/** The mail was not sent, as far as is known. Its message is stored but never logged, because it may contain an address. */
export class MailNotSentError extends Error {
  override readonly name = 'MailNotSentError';

  /** A word or two for the log, without addresses or secrets. */
  readonly reason: string;
  /** True if no further try can help, because the recipient does not exist. */
  readonly isFinal: boolean;

  constructor(message: string, { reason, isFinal }: { readonly reason: string; readonly isFinal: boolean }) {
    super(message);
    this.reason = reason;
    this.isFinal = isFinal;
  }
}

/** Sends mails. */
export abstract class MailTransport {
  /**
   * Resolves when the mail is accepted. Rejects soon after `signal` is aborted.
   * @throws MailNotSentError for every failure.
   */
  abstract send(mail: Mail, signal: AbortSignal): Promise<void>;

  /** Connects and logs in as for a mail, without sending one. @throws MailNotSentError */
  abstract verify(): Promise<void>;
}
