import type { EntityManager } from 'typeorm';
import { prepared, sqlRow } from '../../database/index.js';
import { PersonNotFoundError } from '../errors.js';

/** The person that a gift goes to. */
export interface SurvivingPerson {
  readonly id: number;
  readonly deceased: boolean;
}

/**
 * The person with this id or, if it was merged, the last person of the chain, locked against a merge until `tx` ends. It
 * waits for a running merge and then follows it.
 * @throws PersonNotFoundError
 */
export async function lockSurvivingPerson(tx: EntityManager, personId: number): Promise<SurvivingPerson> {
  const person = await followMerges(tx, personId, LOCK_PERSON);
  if (person === undefined) throw new PersonNotFoundError(personId);
  return person;
}

/** The id that owns a person's gifts: its own, or the survivor's after a merge. An unknown id is returned unchanged. */
export async function survivingPersonId(tx: EntityManager, personId: number): Promise<number> {
  return (await followMerges(tx, personId, READ_PERSON))?.id ?? personId;
}

const READ_PERSON = prepared('SELECT merged_into, deceased FROM person WHERE id = $1');
const LOCK_PERSON = prepared('SELECT merged_into, deceased FROM person WHERE id = $1 FOR SHARE');

async function followMerges(
  tx: EntityManager,
  personId: number,
  statement: typeof LOCK_PERSON,
): Promise<SurvivingPerson | undefined> {
  for (let id = personId; ;) {
    const person = await sqlRow<{ merged_into: number | null; deceased: boolean }>(tx, statement, [id]);
    if (person === undefined) return undefined;
    if (person.merged_into === null) return { id, deceased: person.deceased };
    id = person.merged_into;
  }
}
