import { Injectable } from '@nestjs/common';
import { FinanceContacts } from '../auth/index.js';
import { Configuration } from '../config/index.js';

/** The recipient during a trial without settings: each mail is a file then, and shows what Finance would get. */
const TRIAL_RECIPIENT = 'finance@localhost';

/** The recipients of the notice of a reversal: the users with the role Finance, and FINANCE_EMAILS. */
@Injectable()
export class FinanceRecipients {
  constructor(
    private readonly contacts: FinanceContacts,
    private readonly configuration: Configuration,
  ) {}

  /**
   * The lower-cased addresses, each once; empty if there is no recipient and the notice has to wait for one. With the
   * embedded database and without SMTP_URL there is always one: finance@localhost.
   * Do not call it in a transaction, because it reads on another connection.
   */
  async addresses(): Promise<string[]> {
    const addresses = await this.configured();
    const { mail, database } = this.configuration;
    const isTrial = mail.smtpUrl === undefined && database.url === undefined;
    return addresses.length === 0 && isTrial ? [TRIAL_RECIPIENT] : addresses;
  }

  /** Like {@link addresses}, without the recipient of a trial; empty if no one is notified of reversals. */
  async configured(): Promise<string[]> {
    return this.contacts.addresses();
  }
}
