import { Injectable } from '@nestjs/common';
import { FinanceContacts } from '../auth/index.js';
import { Configuration } from '../config/index.js';

/** Everybody who gets the notice of a reversal: the users with the role Finance, and FINANCE_EMAILS. */
@Injectable()
export class FinanceRecipients {
  constructor(
    private readonly contacts: FinanceContacts,
    private readonly configuration: Configuration,
  ) {}

  /** Lower-cased addresses, each once. Reads on a connection of its own: not to be called in a transaction. */
  async addresses(): Promise<string[]> {
    const all = [...(await this.contacts.emails()), ...this.configuration.mail.financeEmails];
    const folded = all.map((address) => address.trim().toLowerCase()).filter((address) => address !== '');
    return [...new Set(folded)];
  }
}
