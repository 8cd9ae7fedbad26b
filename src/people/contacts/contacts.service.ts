import { Injectable } from '@nestjs/common';
import type { Repository } from 'typeorm';
import { AuditTrail, type AuditAction } from '../../audit/index.js';
import { Transactions } from '../../database/index.js';
import { PersonCommandError } from '../errors.js';
import { Contact } from './contact.entity.js';
import type { ContactView } from '../person-view.js';
import { CONTACT_ACTIONS } from '../audit-actions.js';

/** What Finance does with the contacts that gifts have brought along. */
@Injectable()
export class Contacts {
  constructor(
    private readonly transactions: Transactions,
    private readonly audit: AuditTrail,
  ) {}

  /** The contacts of a person, or all unconfirmed ones when no person is named. */
  async list(peopleId?: number): Promise<ContactView[]> {
    const contacts = await this.transactions.run((tx) =>
      tx.getRepository(Contact).find({
        where: peopleId === undefined ? { confirmed: false } : { personId: peopleId },
        order: { personId: 'ASC', kind: 'ASC', id: 'ASC' },
      }),
    );
    return contacts.map(viewOf);
  }

  /** From now on gifts with this contact match the person. @throws PersonCommandError when there is no such contact. */
  async confirm(contactId: number): Promise<ContactView> {
    return this.change(CONTACT_ACTIONS.confirm, contactId, async (contacts, contact) => {
      contact.confirmed = true;
      await contacts.update({ id: contactId }, { confirmed: true });
    });
  }

  /** Matches no more, and is forgotten. @returns what it was. @throws PersonCommandError when there is no such contact. */
  async remove(contactId: number): Promise<ContactView> {
    return this.change(CONTACT_ACTIONS.remove, contactId, (contacts) => contacts.delete({ id: contactId }));
  }

  private async change(
    action: AuditAction,
    contactId: number,
    apply: (contacts: Repository<Contact>, contact: Contact) => Promise<unknown>,
  ): Promise<ContactView> {
    return this.transactions.run(async (tx) => {
      const contacts = tx.getRepository(Contact);
      const contact = await contacts.findOne({ where: { id: contactId }, lock: { mode: 'pessimistic_write' } });
      if (contact === null) {
        throw new PersonCommandError(
          `There is no contact ${contactId}. To see those of a person: contact list <PeopleId>`,
        );
      }
      await apply(contacts, contact);
      await this.audit.record(tx, action, `contact ${contactId}`, { peopleId: contact.personId });
      return viewOf(contact);
    });
  }
}

function viewOf({ id, personId, kind, value, confirmed, createdAt }: Contact): ContactView {
  return { id, peopleId: personId, kind, value, confirmed, createdAt: createdAt.toISOString() };
}
