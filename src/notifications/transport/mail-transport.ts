/** One message to one recipient. */
export interface Mail {
  readonly from: { readonly name: string; readonly address: string };
  /** An address alone. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** With its angle brackets; the same in every try. */
  readonly messageId: string;
  /** When it is sent. */
  readonly date: Date;
}

/** The mail did not leave the house, as far as is known. The message is for the record: it may hold an address. */
export class MailNotSentError extends Error {
  override readonly name = 'MailNotSentError';

  constructor(
    message: string,
    /** In a word or two, for logs: nobody's address, no secret. */
    readonly reason: string,
    /** True when no further try can help: there is no such recipient. */
    readonly isFinal = false,
  ) {
    super(message);
  }
}

/** How mails leave the house. */
export abstract class MailTransport {
  /**
   * Resolves when the mail is handed over. Ends soon after `signal` is aborted.
   * @throws MailNotSentError for whatever went wrong.
   */
  abstract send(mail: Mail, signal: AbortSignal): Promise<void>;

  /** Says hello to where mails go, logging in as for a mail, and sends none. @throws MailNotSentError */
  abstract verify(): Promise<void>;
}
