import type { EntityManager } from 'typeorm';
import { prepared, sqlRow } from '../../database/index.js';
import { PersonNotFoundError } from '../errors.js';

/** What a gift's use case needs to know of the person it goes to. */
export interface SurvivingPerson {
  readonly id: number;
  readonly deceased: boolean;
}

/**
 * The person with this id or, if it was merged, the one that stands at the end of the chain, locked against a merge
 * until `tx` ends: a merge under way is waited for and then followed.
 * @throws PersonNotFoundError
 */
export async function lockSurvivingPerson(tx: EntityManager, personId: number): Promise<SurvivingPerson> {
  const person = await followMerges(tx, personId, LOCK_PERSON);
  if (person === undefined) throw new PersonNotFoundError(personId);
  return person;
}

/** The id under which a person's gifts stand now: its own, or that of whom it was merged into; of nobody, the same id. */
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
