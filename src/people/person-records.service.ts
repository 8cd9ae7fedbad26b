import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { type Actor, AuditTrail, COMMAND_LINE } from '../audit/index.js';
import { Church } from '../config/index.js';
import { Transactions } from '../database/index.js';
import { addConfirmedContact } from './contacts/add-confirmed-contact.js';
import { Contacts } from './contacts/contacts.service.js';
import { GiverNotFoundError, NothingToChangeError, PersonChangedError, PersonMergedError } from './errors.js';
import { Person } from './person.entity.js';
import type { PersonView } from './person-view.js';
import { changesOf, columnsOf, type PersonDetails } from './records/person-details.js';
import { versionOf } from './records/person-version.js';
import { refold } from './refolding/refold-batch.js';
import { PERSON_ACTIONS } from './audit-actions.js';

/** The changes of a person. */
export interface EditPersonCommand extends PersonDetails {
  readonly peopleId: number;
  /** The version that the caller has seen; undefined: any. */
  readonly version?: string | undefined;
  /** User name; default: the command line. */
  readonly by?: Actor | undefined;
  /** Whether the caller reads the person again if it has changed, and records that. Then the error has no `current`. */
  readonly isShownNext?: boolean;
}

/** The persons who were merged into a person, also through others. */
const SELECT_MERGED = `
  WITH RECURSIVE merged AS (
    SELECT id FROM person WHERE merged_into = $1
    UNION
    SELECT p.id FROM person p JOIN merged ON p.merged_into = merged.id
  )
  SELECT id FROM merged ORDER BY id`;

const SELECT_NAMES = `SELECT id, first_name || ' ' || last_name AS name FROM person WHERE id = ANY ($1::integer[])`;

/** Shows and edits persons. */
@Injectable()
export class PersonRecords {
  constructor(
    private readonly church: Church,
    private readonly transactions: Transactions,
    private readonly contacts: Contacts,
    private readonly audit: AuditTrail,
  ) {}

  /** @throws GiverNotFoundError */
  async show(peopleId: number): Promise<PersonView> {
    const person = await this.find(peopleId);
    if (person === undefined) throw new GiverNotFoundError(peopleId);
    return person;
  }

  /** Like {@link show}, and the reading is recorded. @param by user name, or "command line". @throws GiverNotFoundError */
  async read(peopleId: number, by: Actor = COMMAND_LINE): Promise<PersonView> {
    const person = await this.show(peopleId);
    const action = PERSON_ACTIONS.read;
    await this.audit.recordReading({ action, subject: `person ${peopleId}`, peopleIds: [peopleId], by });
    return person;
  }

  /** The person, or undefined if there is none with this id. */
  async find(peopleId: number): Promise<PersonView | undefined> {
    const person = await this.transactions.run((tx) => tx.findOneBy(Person, { id: peopleId }));
    if (person === null) return undefined;
    const merged = await this.transactions.query<{ id: number }>(SELECT_MERGED, [peopleId]);
    return {
      peopleId: person.id,
      first: person.firstName,
      last: person.lastName,
      nickname: person.nickname,
      formerLast: person.formerLastName,
      email: person.email,
      phone: person.phone,
      address: person.address,
      zip: person.zip,
      deceased: person.deceased,
      mergedInto: person.mergedInto,
      mergedFrom: merged.map(({ id }) => id),
      version: versionOf(person),
      contacts: await this.contacts.list(peopleId),
    };
  }

  /** The names of these persons, by PeopleId. It does not record the reading, which is for the caller to do. */
  async namesOf(peopleIds: Iterable<number>): Promise<ReadonlyMap<number, string>> {
    const rows = await this.transactions.query<{ id: number; name: string }>(SELECT_NAMES, [[...new Set(peopleIds)]]);
    return new Map(rows.map(({ id, name }) => [id, name]));
  }

  /**
   * Changes details of a person. Gifts match by the new names, and no longer by the old ones: a former last name or a
   * nickname keeps an old name. A new e-mail address or phone number is added as a confirmed contact, and the old one
   * stays one. It has no effect if the person has all these details already.
   * @throws GiverNotFoundError, PersonMergedError, PersonChangedError, NothingToChangeError
   * @throws InvalidRequestError for an invalid detail.
   */
  async edit(command: EditPersonCommand): Promise<PersonView> {
    const { peopleId, version, by = COMMAND_LINE, isShownNext = false, ...details } = command;
    const columns = columnsOf(details);
    if (Object.keys(columns).length === 0) throw new NothingToChangeError();
    const fields = Object.entries(details).flatMap(([name, value]) => (value === undefined ? [] : [name]));
    const edit = (): Promise<void> =>
      this.transactions.run(async (tx) => {
        const person = await lock(tx, peopleId);
        const changes = changesOf(person, columns);
        if (Object.keys(changes).length === 0) return;
        if (version !== undefined && version !== versionOf(person)) throw new PersonChangedError(peopleId);
        await this.write(tx, person, changes);
        await this.audit.record(tx, {
          action: PERSON_ACTIONS.edit,
          subject: `person ${peopleId}`,
          details: { fields },
          by,
        });
      });
    await (isShownNext ? edit() : this.refusingChanged(by, edit));
    return this.show(peopleId);
  }

  /**
   * Runs work on persons. If it finds one changed, the error shows that person as it is now, and the reading is recorded.
   * @param by user name, or "command line".
   */
  async refusingChanged<T>(by: Actor, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof PersonChangedError)) throw error;
      throw new PersonChangedError(error.peopleId, await this.read(error.peopleId, by));
    }
  }

  /** Sets further details of a person that `tx` has created. */
  async complete(tx: EntityManager, peopleId: number, details: PersonDetails): Promise<void> {
    const person = await lock(tx, peopleId);
    const changes = changesOf(person, columnsOf(details));
    if (Object.keys(changes).length > 0) await this.write(tx, person, changes);
  }

  private async write(tx: EntityManager, { id }: Person, changes: Partial<Person>): Promise<void> {
    const { country } = this.church;
    await tx.update(Person, { id }, changes);
    await refold(tx, [id], country);
    for (const [kind, field] of [
      ['email', 'Email'],
      ['phone', 'Phone'],
    ] as const) {
      const value = changes[kind];
      if (value !== undefined) await addConfirmedContact(tx, { peopleId: id, kind, value, country, field });
    }
  }
}

/** @throws GiverNotFoundError @throws PersonMergedError */
async function lock(tx: EntityManager, peopleId: number): Promise<Person> {
  const person = await tx.findOne(Person, { where: { id: peopleId }, lock: { mode: 'pessimistic_write' } });
  if (person === null) throw new GiverNotFoundError(peopleId);
  if (person.mergedInto !== null) {
    throw new PersonMergedError({ peopleId, mergedInto: person.mergedInto }, ': edit that one');
  }
  return person;
}
