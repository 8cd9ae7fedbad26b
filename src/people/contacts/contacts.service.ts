import { Injectable } from '@nestjs/common';
import type { Repository } from 'typeorm';
import { AuditTrail, type AuditAction, COMMAND_LINE } from '../../audit/index.js';
import { Transactions } from '../../database/index.js';
import { PersonCommandError } from '../errors.js';
import { Contact } from './contact.entity.js';
import type { ContactView } from '../person-view.js';
import { CONTACT_ACTIONS } from '../audit-actions.js';

/** Lists, confirms and removes contacts of people. */
@Injectable()
export class Contacts {
  constructor(
    private readonly transactions: Transactions,
    private readonly audit: AuditTrail,
  ) {}

  /** The contacts of a person. Without a person: all unconfirmed contacts. */
  async list(peopleId?: number): Promise<ContactView[]> {
    const contacts = await this.transactions.run((tx) =>
      tx.getRepository(Contact).find({
        where: peopleId === undefined ? { confirmed: false } : { personId: peopleId },
        order: { personId: 'ASC', kind: 'ASC', id: 'ASC' },
      }),
    );
    return contacts.map(contactViewOf);
  }

  /** Like {@link list}, for somebody at the command line: the reading is recorded. */
  async read(peopleId?: number): Promise<ContactView[]> {
    const contacts = await this.list(peopleId);
    await this.audit.recordReading({
      action: CONTACT_ACTIONS.list,
      subject: peopleId === undefined ? 'contacts' : `person ${peopleId}`,
      peopleIds: contacts.map((contact) => contact.peopleId),
      details: { contacts: contacts.length },
      by: COMMAND_LINE,
    });
    return contacts;
  }

  /** Confirms a contact: from now on, gifts with it match the person. @throws PersonCommandError if it does not exist. */
  async confirm(contactId: number): Promise<ContactView> {
    return this.change(CONTACT_ACTIONS.confirm, contactId, async (contacts, contact) => {
      contact.confirmed = true;
      await contacts.update({ id: contactId }, { confirmed: true });
    });
  }

  /** Deletes a contact. @returns the deleted contact. @throws PersonCommandError if it does not exist. */
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
      const details = { peopleId: contact.personId };
      await this.audit.record(tx, { action, subject: `contact ${contactId}`, details });
      return contactViewOf(contact);
    });
  }
}

export function contactViewOf({ id, personId, kind, value, confirmed, createdAt }: Contact): ContactView {
  return { id, peopleId: personId, kind, value, confirmed, createdAt: createdAt.toISOString() };
}
