import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/index.js';
import { sqlRow, sqlRows, Transactions } from '../database/index.js';
import { PersonCommandError } from './errors.js';
import type { ContactView } from './person-view.js';

interface ContactRow {
  id: number;
  person_id: number;
  kind: ContactView['kind'];
  value: string;
  confirmed: boolean;
  created_at: Date;
}

/** What Finance does with the contacts that gifts have brought along. */
@Injectable()
export class Contacts {
  constructor(
    private readonly transactions: Transactions,
    private readonly audit: AuditTrail,
  ) {}

  /** The contacts of a person, or all unconfirmed ones when no person is named. */
  async list(peopleId?: number): Promise<ContactView[]> {
    const rows = await this.transactions.run((tx) =>
      sqlRows<ContactRow>(
        tx,
        `SELECT id, person_id, kind, value, confirmed, created_at FROM contact
         WHERE CASE WHEN $1::integer IS NULL THEN NOT confirmed ELSE person_id = $1 END
         ORDER BY person_id, kind, id`,
        [peopleId],
      ),
    );
    return rows.map((row) => ({
      id: row.id,
      peopleId: row.person_id,
      kind: row.kind,
      value: row.value,
      confirmed: row.confirmed,
      createdAt: row.created_at.toISOString(),
    }));
  }

  /** From now on gifts with this contact match the person. @throws PersonCommandError when there is no such contact. */
  async confirm(contactId: number): Promise<void> {
    await this.change(
      'contact.confirm',
      'UPDATE contact SET confirmed = true WHERE id = $1 RETURNING person_id',
      contactId,
    );
  }

  /** Matches no more, and is forgotten. @throws PersonCommandError when there is no such contact. */
  async remove(contactId: number): Promise<void> {
    await this.change('contact.remove', 'DELETE FROM contact WHERE id = $1 RETURNING person_id', contactId);
  }

  private async change(
    action: 'contact.confirm' | 'contact.remove',
    statement: string,
    contactId: number,
  ): Promise<void> {
    await this.transactions.run(async (tx) => {
      const contact = await sqlRow<{ person_id: number }>(tx, statement, [contactId]);
      if (contact === undefined) {
        throw new PersonCommandError(
          `There is no contact ${contactId}. To see those of a person: contact list <PeopleId>`,
        );
      }
      await this.audit.record(tx, action, `contact ${contactId}`, { peopleId: contact.person_id });
    });
  }
}
