import type { EntityManager } from 'typeorm';
import { sqlRows } from '../../database/index.js';
import {
  foldContact,
  foldEmail,
  foldingRule,
  foldName,
  differingPreviousForms,
  foldPhone,
} from '../matching/folding.js';

interface Folded {
  readonly first_name_folded: string | null;
  readonly last_name_folded: string | null;
  readonly nickname_folded: string | null;
  readonly former_last_name_folded: string | null;
  readonly email_folded: string | null;
  readonly phone_folded: string | null;
  readonly first_names_before: readonly string[] | null;
  readonly last_names_before: readonly string[] | null;
}

interface PersonRow extends Folded {
  readonly id: number;
  readonly first_name: string;
  readonly last_name: string;
  readonly nickname: string | null;
  readonly former_last_name: string | null;
  readonly email: string;
  readonly phone: string;
}

interface ContactRow {
  readonly id: number;
  readonly person_id: number;
  readonly kind: 'email' | 'phone';
  readonly value: string;
  readonly folded: string | null;
}

const SELECT_PERSONS = `
  SELECT id, first_name, last_name, nickname, former_last_name, email, phone, first_name_folded, last_name_folded,
    nickname_folded, former_last_name_folded, email_folded, phone_folded, first_names_before, last_names_before
  FROM person`;

const SELECT_CONTACTS = `
  SELECT id, person_id, kind, value, folded FROM contact WHERE person_id = ANY ($1::integer[]) ORDER BY id`;

/** The next persons after a PeopleId, and which of them have a value folded by another rule. Takes no locks. */
export async function readOutdated(
  tx: EntityManager,
  { after, limit }: { readonly after: number; readonly limit: number },
  country: string,
): Promise<{ ids: number[]; outdated: number[] }> {
  const persons = await sqlRows<PersonRow>(tx, `${SELECT_PERSONS} WHERE id > $1 ORDER BY id LIMIT $2`, [after, limit]);
  const ids = persons.map(({ id }) => id);
  const contacts = await sqlRows<ContactRow>(tx, SELECT_CONTACTS, [ids]);
  const outdated = new Set([
    ...persons.filter((person) => isOutdated(person, country)).map(({ id }) => id),
    ...contacts
      .filter((contact) => contact.folded !== foldContact(contact.kind, contact.value, country))
      .map((c) => c.person_id),
  ]);
  return { ids, outdated: ids.filter((id) => outdated.has(id)) };
}

/** Locks some of the persons queued in person_to_fold. Persons locked by another transaction are skipped for now. */
export async function lockQueued(tx: EntityManager, limit: number): Promise<number[]> {
  const queued = await sqlRows<{ id: number }>(
    tx,
    `SELECT p.id FROM person_to_fold JOIN person p ON p.id = person_id
     ORDER BY p.id LIMIT $1 FOR NO KEY UPDATE OF p SKIP LOCKED`,
    [limit],
  );
  return queued.map(({ id }) => id);
}

/** Folds all names and contacts of these persons. Values that are already correct are not written. */
export async function refold(tx: EntityManager, ids: readonly number[], country: string): Promise<void> {
  if (ids.length === 0) return;
  const persons = await sqlRows<PersonRow>(
    tx,
    `${SELECT_PERSONS} WHERE id = ANY ($1::integer[]) ORDER BY id FOR NO KEY UPDATE`,
    [ids],
  );
  const rule = foldingRule(country);
  const changed = persons.filter((person) => isOutdated(person, country));
  await sqlRows(tx, UPDATE_PERSONS, [JSON.stringify(changed.map((p) => ({ id: p.id, ...fold(p, country) }))), rule]);
  const contacts = (await sqlRows<ContactRow>(tx, SELECT_CONTACTS, [ids]))
    .map((contact) => ({
      id: contact.id,
      before: contact.folded,
      after: foldContact(contact.kind, contact.value, country),
    }))
    .filter(({ before, after }) => before !== after);
  if (contacts.length > 0) {
    await sqlRows(tx, MOVE_CONTACTS, [contacts.map(({ id }) => id), contacts.map(({ after }) => after), rule]);
  }
  // A value that could not be folded before has no contact yet. A contact that Finance removed must not come back.
  await sqlRows(tx, ADD_PRIMARY_CONTACTS, [
    persons.filter((person) => person.email_folded === null).map(({ id }) => id),
    persons.filter((person) => person.phone_folded === null).map(({ id }) => id),
    rule,
  ]);
}

function fold(person: PersonRow, country: string): Folded {
  return {
    first_name_folded: foldName(person.first_name),
    last_name_folded: foldName(person.last_name),
    nickname_folded: foldName(person.nickname ?? ''),
    former_last_name_folded: foldName(person.former_last_name ?? ''),
    email_folded: foldEmail(person.email),
    phone_folded: foldPhone(person.phone, country),
    first_names_before: differingPreviousForms([person.first_name, person.nickname]),
    last_names_before: differingPreviousForms([person.last_name, person.former_last_name]),
  };
}

function isOutdated(person: PersonRow, country: string): boolean {
  return Object.entries(fold(person, country)).some(
    ([column, value]) => JSON.stringify(value) !== JSON.stringify(person[column as keyof Folded]),
  );
}

const UPDATE_PERSONS = `
  UPDATE person p SET first_name_folded = f.first_name_folded, last_name_folded = f.last_name_folded,
    nickname_folded = f.nickname_folded, former_last_name_folded = f.former_last_name_folded,
    email_folded = f.email_folded, phone_folded = f.phone_folded,
    first_names_before = f.first_names_before, last_names_before = f.last_names_before, folded_by = $2
  FROM jsonb_to_recordset($1::jsonb) AS f (id integer, first_name_folded text, last_name_folded text,
    nickname_folded text, former_last_name_folded text, email_folded text, phone_folded text,
    first_names_before text[], last_names_before text[])
  WHERE p.id = f.id`;

/**
 * Contacts that are equal by the new rule become one. A contact that can no longer be folded gets null. Contacts are
 * deleted and inserted again, so that two that swap values or become equal do not violate the unique constraint.
 */
const MOVE_CONTACTS = `
  WITH taken AS (
    DELETE FROM contact WHERE id = ANY ($1::integer[]) RETURNING id, person_id, kind, value, confirmed, created_at
  )
  INSERT INTO contact (person_id, kind, value, folded, confirmed, created_at, folded_by)
  SELECT DISTINCT ON (t.person_id, t.kind, COALESCE(f.folded, t.id::text))
    t.person_id, t.kind, t.value, f.folded, t.confirmed, t.created_at, $3
  FROM taken t JOIN unnest($1::integer[], $2::text[]) AS f (id, folded) USING (id)
  ORDER BY t.person_id, t.kind, COALESCE(f.folded, t.id::text), t.confirmed DESC, t.id
  ON CONFLICT ON CONSTRAINT contact_once_per_person DO UPDATE SET confirmed = contact.confirmed OR excluded.confirmed`;

const ADD_PRIMARY_CONTACTS = `
  INSERT INTO contact (person_id, kind, value, folded, confirmed, folded_by)
  SELECT survivor.id, c.kind, c.value, c.folded, true, $3
  FROM person p,
    LATERAL (VALUES
      ('email', p.email, p.email_folded, $1::integer[]), ('phone', p.phone, p.phone_folded, $2::integer[])
    ) AS c (kind, value, folded, persons),
    -- The survivor has the contacts of a merged person.
    LATERAL (
      WITH RECURSIVE chain AS (
        SELECT p.id, p.merged_into
        UNION
        SELECT q.id, q.merged_into FROM person q JOIN chain ON q.id = chain.merged_into
      )
      SELECT id FROM chain WHERE merged_into IS NULL
    ) AS survivor
  WHERE p.id = ANY (c.persons) AND c.folded IS NOT NULL
  ON CONFLICT ON CONSTRAINT contact_once_per_person DO NOTHING`;
