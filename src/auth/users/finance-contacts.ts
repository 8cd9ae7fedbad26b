import { Injectable } from '@nestjs/common';
import { AuxiliaryQueries } from '../../database/index.js';

/** The users who are notified when a gift is reversed. */
@Injectable()
export class FinanceContacts {
  constructor(private readonly queries: AuxiliaryQueries) {}

  /** The stored e-mail addresses of the active users with the role Finance. */
  async emails(): Promise<string[]> {
    const rows = await this.queries.query<{ email: string }>(`
      SELECT u.email FROM app_user u
      JOIN app_user_role ur ON ur.user_id = u.id JOIN role r ON r.id = ur.role_id
      WHERE r.name = 'Finance' AND u.active AND u.email IS NOT NULL
      ORDER BY u.id`);
    return rows.map(({ email }) => email);
  }
}
