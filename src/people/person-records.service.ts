import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { AuditTrail, COMMAND_LINE } from '../audit/index.js';
import { Transactions } from '../database/index.js';
import { Contacts } from './contacts/contacts.service.js';
import { PersonCommandError, PersonNotFoundError } from './errors.js';
import { foldName } from './matching/folding.js';
import { Person } from './person.entity.js';
import type { PersonView } from './person-view.js';
import { isAbsent, isFault, readText } from '../values/index.js';
import { PERSON_ACTIONS } from './audit-actions.js';

/** The changes of a person. An absent field stays unchanged, null clears it. */
export interface EditPersonCommand {
  readonly peopleId: number;
  readonly first?: string;
  readonly last?: string;
  readonly nickname?: string | null;
  readonly formerLast?: string | null;
  readonly deceased?: boolean;
}

/** Shows and edits persons. */
@Injectable()
export class PersonRecords {
  constructor(
    private readonly transactions: Transactions,
    private readonly contacts: Contacts,
    private readonly audit: AuditTrail,
  ) {}

  /** @throws PersonNotFoundError */
  async show(peopleId: number): Promise<PersonView> {
    const person = await this.find(peopleId);
    if (person === undefined) throw new PersonNotFoundError(peopleId);
    return person;
  }

  /** Like {@link show}, for somebody at the command line: the reading is recorded. @throws PersonNotFoundError */
  async read(peopleId: number): Promise<PersonView> {
    const person = await this.show(peopleId);
    const action = PERSON_ACTIONS.read;
    await this.audit.recordReading({ action, subject: `person ${peopleId}`, peopleIds: [peopleId], by: COMMAND_LINE });
    return person;
  }

  /** The person, or undefined if there is none with this id. */
  async find(peopleId: number): Promise<PersonView | undefined> {
    const person = await this.transactions.run((tx) => tx.findOneBy(Person, { id: peopleId }));
    if (person === null) return undefined;
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
      contacts: await this.contacts.list(peopleId),
    };
  }

  /** @throws PersonNotFoundError @throws PersonCommandError for a merged person, an invalid name, or no change. */
  async edit({ peopleId, ...edit }: EditPersonCommand): Promise<PersonView> {
    const changes = changesOf(edit);
    if (Object.keys(changes).length === 0) throw new PersonCommandError('There is nothing to change: name an option.');
    await this.transactions.run(async (tx) => {
      const person = await lock(tx, peopleId);
      if (person.mergedInto !== null) {
        throw new PersonCommandError(`Person ${peopleId} was merged into person ${person.mergedInto}: edit that one.`);
      }
      await tx.update(Person, { id: peopleId }, changes);
      await this.audit.record(tx, {
        action: PERSON_ACTIONS.edit,
        subject: `person ${peopleId}`,
        details: { fields: Object.keys(edit) },
      });
    });
    return this.show(peopleId);
  }
}

async function lock(tx: EntityManager, peopleId: number): Promise<Person> {
  const person = await tx.findOne(Person, { where: { id: peopleId }, lock: { mode: 'pessimistic_write' } });
  if (person === null) throw new PersonNotFoundError(peopleId);
  return person;
}

function changesOf({
  first,
  last,
  nickname,
  formerLast,
  deceased,
}: Omit<EditPersonCommand, 'peopleId'>): Partial<Person> {
  return {
    ...(first !== undefined && { firstName: name(first), firstNameFolded: foldName(first) }),
    ...(last !== undefined && { lastName: name(last), lastNameFolded: foldName(last) }),
    ...(nickname !== undefined && {
      nickname: nickname === null ? null : name(nickname),
      nicknameFolded: nickname === null ? null : foldName(nickname),
    }),
    ...(formerLast !== undefined && {
      formerLastName: formerLast === null ? null : name(formerLast),
      formerLastNameFolded: formerLast === null ? null : foldName(formerLast),
    }),
    ...(deceased !== undefined && { deceased }),
  };
}

function name(text: string): string {
  const reading = readText(text, { max: 100 });
  if (isAbsent(text) || isFault(reading)) throw new PersonCommandError('A name has 1 to 100 characters on one line.');
  return reading.value;
}
