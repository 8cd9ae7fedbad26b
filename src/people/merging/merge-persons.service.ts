import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { COMMAND_LINE, AuditTrail } from '../../audit/index.js';
import { sqlRows, TransactionalEvents, Transactions, NO_TIME_LIMIT } from '../../database/index.js';
import { PersonCommandError, PersonNotFoundError } from '../errors.js';
import { PersonMerged } from '../events/index.js';
import { PersonRecords } from '../person-records.service.js';
import type { PersonView } from '../person-view.js';
import { PERSON_ACTIONS } from '../audit-actions.js';

/** Makes one of two persons who are the same. */
@Injectable()
export class MergePersons {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: TransactionalEvents,
    private readonly audit: AuditTrail,
    private readonly persons: PersonRecords,
  ) {}

  /** Both as they are, for somebody who has to say that they are the same. @throws what {@link merge} throws. */
  async look(from: number, into: number): Promise<readonly [PersonView, PersonView]> {
    const both = [await this.persons.show(from), await this.persons.show(into)] as const;
    assertTwo(from, into);
    for (const { peopleId, mergedInto } of both) assertStanding(peopleId, mergedInto);
    return both;
  }

  /**
   * Contacts and, by the event, gifts of `from` go to `into`; `from` stays as a pointer, and its names match `into`.
   * Both are locked, lower id first: gifts in flight for either are waited for, later ones find the survivor.
   * @param by user name, or "command line"
   * @returns the one that they are. @throws PersonNotFoundError, and PersonCommandError when one was merged before or both are the same.
   */
  async merge(from: number, into: number, by = COMMAND_LINE): Promise<PersonView> {
    assertTwo(from, into);
    await this.transactions.run(async (tx) => {
      await lockBoth(tx, from, into);
      await moveContacts(tx, from, into);
      await sqlRows(tx, 'UPDATE person SET merged_into = $2 WHERE id = $1', [from, into]);
      // What was known of either is known of the one they are.
      await sqlRows(
        tx,
        'UPDATE person SET deceased = true WHERE id = $2 AND (SELECT deceased FROM person WHERE id = $1)',
        [from, into],
      );
      await this.audit.record(tx, PERSON_ACTIONS.merge, `person ${from}`, { into }, by);
      await this.events.publish(new PersonMerged({ fromPeopleId: from, intoPeopleId: into, by }), tx);
    }, NO_TIME_LIMIT);
    return this.persons.show(into);
  }
}

async function lockBoth(tx: EntityManager, from: number, into: number): Promise<void> {
  const persons = await sqlRows<{ id: number; merged_into: number | null }>(
    tx,
    'SELECT id, merged_into FROM person WHERE id = ANY ($1::integer[]) ORDER BY id FOR UPDATE',
    [[from, into]],
  );
  for (const id of [from, into]) {
    const person = persons.find((candidate) => candidate.id === id);
    if (person === undefined) throw new PersonNotFoundError(id);
    assertStanding(id, person.merged_into);
  }
}

function assertTwo(from: number, into: number): void {
  if (from === into) throw new PersonCommandError('A person cannot be merged into itself.');
}

function assertStanding(id: number, mergedInto: number | null): void {
  if (mergedInto !== null) throw new PersonCommandError(`Person ${id} was merged into person ${mergedInto} before.`);
}

/** What both have is kept once, and confirmed if either was. In one statement: it takes along what was changed last. */
async function moveContacts(tx: EntityManager, from: number, into: number): Promise<void> {
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
