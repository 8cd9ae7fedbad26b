import { Injectable } from '@nestjs/common';
import { type EntityManager, MoreThan, type Repository } from 'typeorm';
import { type Actor, AuditTrail, type AuditAction, COMMAND_LINE } from '../../audit/index.js';
import { Church } from '../../config/index.js';
import { Transactions } from '../../database/index.js';
import { InvalidRequestError } from '../../http/index.js';
import { isFault, readEmail, readText } from '../../values/index.js';
import { ContactNotFoundError, GiverNotFoundError, PersonMergedError } from '../errors.js';
import { Person } from '../person.entity.js';
import { addConfirmedContact, type NewContact } from './add-confirmed-contact.js';
import { Contact } from './contact.entity.js';
import type { ContactView } from '../person-view.js';
import { CONTACT_ACTIONS } from '../audit-actions.js';

/** A contact to add to a person. */
export interface AddContactCommand extends Omit<NewContact, 'country'> {
  /** User name, or "command line". */
  readonly by: Actor;
}

/** A contact to replace by another one of the same kind. */
export interface ReplaceContactCommand {
  readonly peopleId: number;
  readonly contactId: number;
  /** The new e-mail address or phone number. */
  readonly value: string;
  readonly by: Actor;
}

/** The most unconfirmed contacts on a page. */
export const CONTACTS_PER_PAGE = 200;

/** Lists, adds, confirms and removes contacts of people. */
@Injectable()
export class Contacts {
  constructor(
    private readonly church: Church,
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

  /** Like {@link list}, and the reading is recorded. @param by user name, or "command line". */
  async read(peopleId?: number, by: Actor = COMMAND_LINE): Promise<ContactView[]> {
    const contacts = await this.list(peopleId);
    await this.recordReading(contacts, peopleId === undefined ? 'contacts' : `person ${peopleId}`, by);
    return contacts;
  }

  /**
   * A page of the unconfirmed contacts of all persons, ordered by id. The reading is recorded.
   * @param after the last id of the previous page.
   */
  async readUnconfirmed({ after, by }: { readonly after: number; readonly by: Actor }): Promise<ContactView[]> {
    const contacts = await this.transactions.run((tx) =>
      tx.getRepository(Contact).find({
        where: { confirmed: false, id: MoreThan(after) },
        order: { id: 'ASC' },
        take: CONTACTS_PER_PAGE,
      }),
    );
    const views = contacts.map(contactViewOf);
    await this.recordReading(views, 'contacts', by);
    return views;
  }

  /**
   * Adds a confirmed contact: from now on, gifts with it match the person. An unconfirmed one that the person has is
   * confirmed. It has no effect if the person has it confirmed.
   * @throws GiverNotFoundError, PersonMergedError
   * @throws InvalidRequestError for a value that matching cannot use.
   */
  async add(command: AddContactCommand): Promise<ContactView> {
    return this.transactions.run(async (tx) => {
      await assertNotMerged(tx, command.peopleId);
      return this.addIn(tx, command);
    });
  }

  /** The person must be locked against a merge. */
  private async addIn(tx: EntityManager, { peopleId, kind, value, by }: AddContactCommand): Promise<ContactView> {
    const reading = kind === 'email' ? readEmail(value) : readText(value, { max: 50 });
    if (isFault(reading)) throw InvalidRequestError.ofReadings({ Value: reading });
    const { country } = this.church;
    const added = await addConfirmedContact(tx, { peopleId, kind, value: reading.value, country, field: 'Value' });
    if (added.before !== 'confirmed') {
      const action = added.before === 'nothing' ? CONTACT_ACTIONS.add : CONTACT_ACTIONS.confirm;
      await this.audit.record(tx, { action, subject: `contact ${added.id}`, details: { peopleId }, by });
    }
    return contactViewOf(await tx.getRepository(Contact).findOneByOrFail({ id: added.id }));
  }

  /** Confirms a contact: from now on, gifts with it match the person. @throws ContactNotFoundError */
  async confirm(contactId: number, by: Actor = COMMAND_LINE): Promise<ContactView> {
    return this.change({ action: CONTACT_ACTIONS.confirm, contactId, by }, async (contacts, contact) => {
      contact.confirmed = true;
      await contacts.update({ id: contactId }, { confirmed: true });
    });
  }

  /** Deletes a contact. @returns the deleted contact. @throws ContactNotFoundError */
  async remove(contactId: number, by: Actor = COMMAND_LINE): Promise<ContactView> {
    const change = { action: CONTACT_ACTIONS.remove, contactId, by };
    return this.change(change, (contacts) => contacts.delete({ id: contactId }));
  }

  /**
   * Replaces a contact of a person by a confirmed one of the same kind, in one transaction. Gifts with the old one no longer match
   * the person. It has no effect on a contact that is confirmed and only written in another way.
   * @throws ContactNotFoundError, PersonMergedError
   * @throws InvalidRequestError for a value that matching cannot use.
   */
  async replace({ peopleId, contactId, value, by }: ReplaceContactCommand): Promise<ContactView> {
    return this.transactions.run(async (tx) => {
      await assertNotMerged(tx, peopleId);
      const where = { id: contactId, personId: peopleId };
      const old = await tx.findOne(Contact, { where, lock: { mode: 'pessimistic_write' } });
      if (old === null) throw new ContactNotFoundError(contactId);
      const added = await this.addIn(tx, { peopleId, kind: old.kind, value, by });
      if (added.id !== contactId) {
        await tx.delete(Contact, { id: contactId });
        const action = CONTACT_ACTIONS.remove;
        await this.audit.record(tx, { action, subject: `contact ${contactId}`, details: { peopleId }, by });
      }
      return added;
    });
  }

  private async change(
    { action, contactId, by }: { readonly action: AuditAction; readonly contactId: number; readonly by: Actor },
    apply: (contacts: Repository<Contact>, contact: Contact) => Promise<unknown>,
  ): Promise<ContactView> {
    return this.transactions.run(async (tx) => {
      const contacts = tx.getRepository(Contact);
      const contact = await contacts.findOne({ where: { id: contactId }, lock: { mode: 'pessimistic_write' } });
      if (contact === null) throw new ContactNotFoundError(contactId);
      await apply(contacts, contact);
      const details = { peopleId: contact.personId };
      await this.audit.record(tx, { action, subject: `contact ${contactId}`, details, by });
      return contactViewOf(contact);
    });
  }

  private async recordReading(contacts: readonly ContactView[], subject: string, by: Actor): Promise<void> {
    await this.audit.recordReading({
      action: CONTACT_ACTIONS.list,
      subject,
      peopleIds: contacts.map(({ peopleId }) => peopleId),
      details: { contacts: contacts.length },
      by,
    });
  }
}

/** Locks the person against a merge. @throws GiverNotFoundError @throws PersonMergedError */
async function assertNotMerged(tx: EntityManager, peopleId: number): Promise<void> {
  const person = await tx.findOne(Person, { where: { id: peopleId }, lock: { mode: 'pessimistic_read' } });
  if (person === null) throw new GiverNotFoundError(peopleId);
  if (person.mergedInto !== null) {
    throw new PersonMergedError({ peopleId, mergedInto: person.mergedInto }, ': add it to that one');
  }
}

export function contactViewOf({ id, personId, kind, value, confirmed, createdAt }: Contact): ContactView {
  return { id, peopleId: personId, kind, value, confirmed, createdAt: createdAt.toISOString() };
}
