import type { EntityManager } from 'typeorm';
import { prepared, sqlRow, sqlRows } from '../../database/index.js';
import { foldingRule, differingPreviousForms } from './folding.js';
import type { Giver } from './giver.js';
import type { FoldedGiver } from './match-person.js';

const COLUMNS = `id, first_name, last_name, email, phone, address, zip,
    first_name_folded, last_name_folded, email_folded, phone_folded, folded_by, first_names_before, last_names_before`;

const INSERT_PERSON = prepared(`
  INSERT INTO person (${COLUMNS})
  OVERRIDING SYSTEM VALUE
  VALUES (next_id('person_id_seq'), $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
  RETURNING id`);

/** The same for many persons at once, in their order. */
const INSERT_PERSONS = prepared(`
  WITH new AS MATERIALIZED (
    SELECT sent.place, next_id('person_id_seq') AS id, sent.person
    FROM jsonb_array_elements($1) WITH ORDINALITY AS sent(person, place)
  ), added AS (
    INSERT INTO person (${COLUMNS})
    OVERRIDING SYSTEM VALUE
    SELECT new.id, sent.*
    FROM new CROSS JOIN LATERAL jsonb_to_record(new.person) AS sent(
      first text, last text, email text, phone text, address text, zip text, "firstFolded" text, "lastFolded" text,
      "emailFolded" text, "phoneFolded" text, "foldedBy" text, "firstBefore" text[], "lastBefore" text[])
    ORDER BY new.place
  )
  SELECT id FROM new ORDER BY place`);

/** A person to add. */
export interface NewPerson {
  readonly giver: Giver;
  readonly folded: FoldedGiver;
}

/** Adds a person. The database adds the contacts. @returns the PeopleId. */
export async function insertPerson(tx: EntityManager, person: NewPerson, country: string): Promise<number> {
  const row = await sqlRow<{ id: number }>(tx, INSERT_PERSON, Object.values(valuesOf(person, country)));
  if (row === undefined) throw new Error('INSERT … RETURNING returned no row');
  return row.id;
}

/** As {@link insertPerson}, for many persons in one statement. @returns the PeopleIds, in the same order. */
export async function insertPersons(
  tx: EntityManager,
  persons: readonly NewPerson[],
  country: string,
): Promise<number[]> {
  const values = JSON.stringify(persons.map((person) => valuesOf(person, country)));
  const rows = await sqlRows<{ id: number }>(tx, INSERT_PERSONS, [values]);
  return rows.map(({ id }) => id);
}

/** The values of {@link COLUMNS} after the id, in their order. */
function valuesOf({ giver, folded }: NewPerson, country: string): Record<string, string | readonly string[] | null> {
  return {
    ...{ first: giver.first, last: giver.last, email: giver.email, phone: giver.phone },
    ...{ address: giver.address, zip: giver.zip },
    ...{ firstFolded: folded.first, lastFolded: folded.last, emailFolded: folded.email, phoneFolded: folded.phone },
    foldedBy: foldingRule(country),
    firstBefore: differingPreviousForms([giver.first]),
    lastBefore: differingPreviousForms([giver.last]),
  };
}

/** Transaction-level advisory locks on the lock keys, always in the same order to avoid deadlocks. */
const LOCK_CONTACTS = prepared(`
  SELECT pg_advisory_xact_lock(key)
  FROM (SELECT DISTINCT hashtextextended('person contact ' || c, 0) AS key FROM unnest($1::text[]) AS c ORDER BY key) k`);

/** Locks these keys until `tx` ends: another transaction that would create a person with one of them waits. */
export async function lockPersonKeys(tx: EntityManager, keys: readonly string[]): Promise<void> {
  await sqlRows(tx, LOCK_CONTACTS, [keys]);
}
