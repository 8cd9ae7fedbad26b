import { Injectable } from '@nestjs/common';
import { EntityManager, In } from 'typeorm';
import { type Actor, AuditTrail, COMMAND_LINE, nameOf } from '../../audit/index.js';
import { sqlRows, TransactionalEvents, Transactions, NO_TIME_LIMIT } from '../../database/index.js';
import {
  GiverNotFoundError,
  PersonChangedError,
  PersonMergedError,
  PersonNotFoundError,
  SamePersonError,
} from '../errors.js';
import { PersonMerged } from '../events/index.js';
import { Person } from '../person.entity.js';
import { PersonRecords } from '../person-records.service.js';
import type { PersonView } from '../person-view.js';
import { versionOf } from '../records/person-version.js';
import { PERSON_ACTIONS } from '../audit-actions.js';

/** Two different persons. */
export interface TwoPersons {
  /** PeopleId of the person that becomes a pointer to the other. */
  readonly from: number;
  /** PeopleId of the survivor. */
  readonly into: number;
}

/** Two persons to merge. */
export interface MergePersonsCommand extends TwoPersons {
  /** The versions of both that the caller has seen; undefined: any. */
  readonly versions?: { readonly from: string; readonly into: string } | undefined;
  /** User name, or "command line". */
  readonly by: Actor;
  /** Whether the caller reads both again if one has changed, and records that. Then the error has no `current`. */
  readonly isShownNext?: boolean;
}

/** Merges two records of the same person. */
@Injectable()
export class MergePersons {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: TransactionalEvents,
    private readonly audit: AuditTrail,
    private readonly persons: PersonRecords,
  ) {}

  /**
   * Both persons, to be shown before a merge is confirmed. The reading is recorded.
   * @param by user name, or "command line".
   * @throws the same errors as {@link merge}.
   */
  async readBoth({ from, into }: TwoPersons, by: Actor = COMMAND_LINE): Promise<readonly [PersonView, PersonView]> {
    const both = [await this.persons.show(from), await this.showSurvivor(into)] as const;
    assertDifferent({ from, into });
    for (const { peopleId, mergedInto } of both) assertNotMerged({ id: peopleId, mergedInto });
    await this.audit.recordReading({
      action: PERSON_ACTIONS.read,
      subject: `person ${from}`,
      peopleIds: [from, into],
      by,
    });
    return both;
  }

  /**
   * Moves the contacts of `from` to `into`, and its gifts through the event. `from` remains as a pointer, and its names
   * match `into`. Both are locked, lower id first: the merge waits for running gifts of both, and later gifts find `into`.
   * It has no effect if `from` is merged into `into` already.
   * @returns the survivor `into`
   * @throws GiverNotFoundError for `from`, PersonNotFoundError for `into`
   * @throws PersonMergedError, PersonChangedError, SamePersonError
   */
  async merge(command: MergePersonsCommand): Promise<PersonView> {
    const { from, into, by, isShownNext = false } = command;
    assertDifferent({ from, into });
    const merge = (): Promise<void> => this.transactions.run((tx) => this.mergeIn(tx, command), NO_TIME_LIMIT);
    await (isShownNext ? merge() : this.persons.refusingChanged(by, merge));
    return this.persons.show(into);
  }

  private async mergeIn(tx: EntityManager, { from, into, versions, by }: MergePersonsCommand): Promise<void> {
    const both = await lockBoth(tx, { from, into });
    if (both.from.mergedInto === into && both.into.mergedInto === null) return;
    assertNotMerged(both.from);
    assertNotMerged(both.into);
    if (versions !== undefined) assertSeen(both, versions);
    await moveContacts(tx, { from, into });
    await sqlRows(tx, 'UPDATE person SET merged_into = $2 WHERE id = $1', [from, into]);
    // The survivor is deceased if either of them was.
    await sqlRows(
      tx,
      'UPDATE person SET deceased = true WHERE id = $2 AND (SELECT deceased FROM person WHERE id = $1)',
      [from, into],
    );
    await this.audit.record(tx, { action: PERSON_ACTIONS.merge, subject: `person ${from}`, details: { into }, by });
    await this.events.publish(new PersonMerged({ fromPeopleId: from, intoPeopleId: into, by: nameOf(by) }), tx);
  }

  private async showSurvivor(into: number): Promise<PersonView> {
    const person = await this.persons.find(into);
    if (person === undefined) throw new PersonNotFoundError(into);
    return person;
  }
}

/** Two locked persons. */
interface LockedPersons {
  readonly from: Person;
  readonly into: Person;
}

async function lockBoth(tx: EntityManager, { from, into }: TwoPersons): Promise<LockedPersons> {
  const persons = await tx.getRepository(Person).find({
    where: { id: In([from, into]) },
    order: { id: 'ASC' },
    lock: { mode: 'pessimistic_write' },
  });
  const [fromPerson, intoPerson] = [from, into].map((id) => persons.find((candidate) => candidate.id === id));
  if (fromPerson === undefined) throw new GiverNotFoundError(from);
  if (intoPerson === undefined) throw new PersonNotFoundError(into);
  return { from: fromPerson, into: intoPerson };
}

/** @throws PersonChangedError for the first person who has another version. */
function assertSeen({ from, into }: LockedPersons, versions: { readonly from: string; readonly into: string }): void {
  if (versionOf(from) !== versions.from) throw new PersonChangedError(from.id);
  if (versionOf(into) !== versions.into) throw new PersonChangedError(into.id);
}

function assertDifferent({ from, into }: TwoPersons): void {
  if (from === into) throw new SamePersonError();
}

/** @throws PersonMergedError */
function assertNotMerged({ id, mergedInto }: Pick<Person, 'id' | 'mergedInto'>): void {
  if (mergedInto !== null) throw new PersonMergedError({ peopleId: id, mergedInto }, ' before');
}

/** A contact of both is kept once, and is confirmed if either was. One statement, so that it sees the latest changes. */
async function moveContacts(tx: EntityManager, { from, into }: TwoPersons): Promise<void> {
  await sqlRows(
    tx,
    `WITH moved AS (
       DELETE FROM contact WHERE person_id = $1 RETURNING id, kind, value, folded, confirmed, created_at, folded_by
     )
     INSERT INTO contact (person_id, kind, value, folded, confirmed, created_at, folded_by)
     SELECT $2, kind, value, folded, confirmed, created_at, folded_by FROM moved ORDER BY id
     ON CONFLICT ON CONSTRAINT contact_once_per_person
       DO UPDATE SET confirmed = contact.confirmed OR excluded.confirmed`,
    [from, into],
  );
}
