import { Injectable } from '@nestjs/common';
import { FinanceContacts } from '../auth/index.js';
import { Configuration } from '../config/index.js';

/** Where notices go on a first trial: the mail is a file in any case, and shows what Finance would get. */
const TRIAL_RECIPIENT = 'finance@localhost';

/** The recipients of the notice of a reversal: the users with the role Finance, and FINANCE_EMAILS. */
@Injectable()
export class FinanceRecipients {
  constructor(
    private readonly contacts: FinanceContacts,
    private readonly configuration: Configuration,
  ) {}

  /**
   * Lower-cased addresses, each once; empty when there is no recipient and the notice has to wait for one. With the
   * embedded database and without SMTP_URL there is always one: finance@localhost.
   * Reads on a connection of its own: not to be called in a transaction.
   */
  async addresses(): Promise<string[]> {
    const addresses = await this.configured();
    const { mail, database } = this.configuration;
    const isTrial = mail.smtpUrl === undefined && database.url === undefined;
    return addresses.length === 0 && isTrial ? [TRIAL_RECIPIENT] : addresses;
  }

  /** Those that somebody has set up; empty when reversals reach no one. As {@link addresses} otherwise. */
  async configured(): Promise<string[]> {
    const all = [...(await this.contacts.emails()), ...this.configuration.mail.financeEmails];
    const folded = all.map((address) => address.trim().toLowerCase()).filter((address) => address !== '');
    return [...new Set(folded)];
  }
}
