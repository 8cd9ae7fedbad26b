import { Injectable } from '@nestjs/common';
import { Configuration } from '../../config/index.js';
import { AuxiliaryQueries } from '../../database/index.js';

/** The users who are notified when a gift is reversed. */
@Injectable()
export class FinanceContacts {
  constructor(
    private readonly queries: AuxiliaryQueries,
    private readonly configuration: Configuration,
  ) {}

  /**
   * The addresses to which notices go: those of the users, and FINANCE_EMAILS. In lower case, each once; empty if no one is
   * notified.
   */
  async addresses(): Promise<string[]> {
    const all = [...(await this.emails()), ...this.configuration.mail.financeEmails];
    const folded = all.map((address) => address.trim().toLowerCase()).filter((address) => address !== '');
    return [...new Set(folded)];
  }

  /** The stored e-mail addresses of the active users with the role Finance. */
  private async emails(): Promise<string[]> {
    const rows = await this.queries.query<{ email: string }>(`
      SELECT u.email FROM app_user u
      JOIN app_user_role ur ON ur.user_id = u.id JOIN role r ON r.id = ur.role_id
      WHERE r.name = 'Finance' AND u.active AND u.email IS NOT NULL
      ORDER BY u.id`);
    return rows.map(({ email }) => email);
  }
}
