import { Injectable } from '@nestjs/common';
import { AuditTrail, type AuditAction } from '../../audit/index.js';
import { sqlRow, sqlRows, Transactions } from '../../database/index.js';
import { PersonCommandError } from '../errors.js';
import type { ContactView } from '../person-view.js';
import { CONTACT_ACTIONS } from '../audit-actions.js';

interface ContactRow {
  id: number;
  person_id: number;
  kind: ContactView['kind'];
  value: string;
  confirmed: boolean;
  created_at: Date;
}

const COLUMNS = 'id, person_id, kind, value, confirmed, created_at';

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
        `SELECT ${COLUMNS} FROM contact
         WHERE CASE WHEN $1::integer IS NULL THEN NOT confirmed ELSE person_id = $1 END
         ORDER BY person_id, kind, id`,
        [peopleId],
      ),
    );
    return rows.map(viewOf);
  }

  /** From now on gifts with this contact match the person. @throws PersonCommandError when there is no such contact. */
  async confirm(contactId: number): Promise<ContactView> {
    const confirm = `UPDATE contact SET confirmed = true WHERE id = $1 RETURNING ${COLUMNS}`;
    return this.change(CONTACT_ACTIONS.confirm, confirm, contactId);
  }

  /** Matches no more, and is forgotten. @returns what it was. @throws PersonCommandError when there is no such contact. */
  async remove(contactId: number): Promise<ContactView> {
    return this.change(CONTACT_ACTIONS.remove, `DELETE FROM contact WHERE id = $1 RETURNING ${COLUMNS}`, contactId);
  }

  private async change(action: AuditAction, statement: string, contactId: number): Promise<ContactView> {
    return this.transactions.run(async (tx) => {
      const contact = await sqlRow<ContactRow>(tx, statement, [contactId]);
      if (contact === undefined) {
        throw new PersonCommandError(
          `There is no contact ${contactId}. To see those of a person: contact list <PeopleId>`,
        );
      }
      await this.audit.record(tx, action, `contact ${contactId}`, { peopleId: contact.person_id });
      return viewOf(contact);
    });
  }
}

function viewOf({ id, person_id, kind, value, confirmed, created_at }: ContactRow): ContactView {
  return { id, peopleId: person_id, kind, value, confirmed, createdAt: created_at.toISOString() };
}
