import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { AuditTrail, COMMAND_LINE } from '../../audit/index.js';
import { sqlRows, TransactionalEvents, Transactions, NO_TIME_LIMIT } from '../../database/index.js';
import { PersonCommandError, PersonNotFoundError } from '../errors.js';
import { PersonMerged } from '../events/index.js';
import { PersonRecords } from '../person-records.service.js';
import type { PersonView } from '../person-view.js';
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
  /** User name, or "command line". */
  readonly by: string;
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
   * Both persons, to be shown at the command line before a merge is confirmed. The reading is recorded.
   * @throws the same errors as {@link merge}.
   */
  async readBoth({ from, into }: TwoPersons): Promise<readonly [PersonView, PersonView]> {
    const both = [await this.persons.show(from), await this.persons.show(into)] as const;
    assertDifferent({ from, into });
    for (const { peopleId, mergedInto } of both) assertNotMerged(peopleId, mergedInto);
    await this.audit.recordReading({
      action: PERSON_ACTIONS.read,
      subject: `person ${from}`,
      peopleIds: [from, into],
      by: COMMAND_LINE,
    });
    return both;
  }

  /**
   * Moves the contacts of `from` to `into`, and its gifts through the event. `from` remains as a pointer, and its names
   * match `into`. Both are locked, lower id first: the merge waits for running gifts of both, and later gifts find `into`.
   * @returns the survivor `into`
   * @throws PersonNotFoundError
   * @throws PersonCommandError if one of them is already merged, or if both ids are the same.
   */
  async merge({ from, into, by }: MergePersonsCommand): Promise<PersonView> {
    assertDifferent({ from, into });
    await this.transactions.run(async (tx) => {
      await lockBoth(tx, { from, into });
      await moveContacts(tx, { from, into });
      await sqlRows(tx, 'UPDATE person SET merged_into = $2 WHERE id = $1', [from, into]);
      // The survivor is deceased if either of them was.
      await sqlRows(
        tx,
        'UPDATE person SET deceased = true WHERE id = $2 AND (SELECT deceased FROM person WHERE id = $1)',
        [from, into],
      );
      await this.audit.record(tx, { action: PERSON_ACTIONS.merge, subject: `person ${from}`, details: { into }, by });
      await this.events.publish(new PersonMerged({ fromPeopleId: from, intoPeopleId: into, by }), tx);
    }, NO_TIME_LIMIT);
    return this.persons.show(into);
  }
}

async function lockBoth(tx: EntityManager, { from, into }: TwoPersons): Promise<void> {
  const persons = await sqlRows<{ id: number; merged_into: number | null }>(
    tx,
    'SELECT id, merged_into FROM person WHERE id = ANY ($1::integer[]) ORDER BY id FOR UPDATE',
    [[from, into]],
  );
  for (const id of [from, into]) {
    const person = persons.find((candidate) => candidate.id === id);
    if (person === undefined) throw new PersonNotFoundError(id);
    assertNotMerged(id, person.merged_into);
  }
}

function assertDifferent({ from, into }: TwoPersons): void {
  if (from === into) throw new PersonCommandError('A person cannot be merged into itself.');
}

function assertNotMerged(id: number, mergedInto: number | null): void {
  if (mergedInto !== null) throw new PersonCommandError(`Person ${id} was merged into person ${mergedInto} before.`);
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
