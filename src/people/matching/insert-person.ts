import type { EntityManager } from 'typeorm';
import { prepared, sqlRow, sqlRows } from '../../database/index.js';
import { foldingRule, differingPreviousForms } from './folding.js';
import type { Giver } from './giver.js';
import type { FoldedGiver } from './match-person.js';

const INSERT_PERSON = prepared(`
  INSERT INTO person (id, first_name, last_name, email, phone, address, zip,
    first_name_folded, last_name_folded, email_folded, phone_folded, folded_by, first_names_before, last_names_before)
  OVERRIDING SYSTEM VALUE
  VALUES (next_id('person_id_seq'), $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
  RETURNING id`);

/** Adds a person. The database adds the contacts. @returns the PeopleId. */
export async function insertPerson(
  tx: EntityManager,
  giver: Giver,
  { first, last, email, phone }: FoldedGiver,
  country: string,
): Promise<number> {
  const person = await sqlRow<{ id: number }>(tx, INSERT_PERSON, [
    ...[giver.first, giver.last, giver.email, giver.phone, giver.address, giver.zip],
    ...[first, last, email, phone],
    ...[foldingRule(country), differingPreviousForms([giver.first]), differingPreviousForms([giver.last])],
  ]);
  if (person === undefined) throw new Error('INSERT … RETURNING returned no row');
  return person.id;
}

/** Transaction-level advisory locks on the lock keys, always in the same order to avoid deadlocks. */
const LOCK_CONTACTS = prepared(`
  SELECT pg_advisory_xact_lock(key)
  FROM (SELECT DISTINCT hashtextextended('person contact ' || c, 0) AS key FROM unnest($1::text[]) AS c ORDER BY key) k`);

/** Locks these keys until `tx` ends: another transaction that would create a person with one of them waits. */
export async function lockPersonKeys(tx: EntityManager, keys: readonly string[]): Promise<void> {
  await sqlRows(tx, LOCK_CONTACTS, [keys]);
}
