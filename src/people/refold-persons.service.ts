import { Injectable, Logger } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { Church } from '../config/index.js';
import { sqlRow, sqlRows, Transactions, UNHURRIED } from '../database/index.js';
import { foldEmail, FOLDING_VERSION, foldName, foldPhone } from './folding.js';

const BATCH = 500;

interface PersonRow {
  id: number;
  first_name: string;
  last_name: string;
  nickname: string | null;
  former_last_name: string | null;
  email: string;
  phone: string;
  email_folded: string | null;
  phone_folded: string | null;
}

/**
 * Folds anew what is stored when the rule of folding, or the country whose phone numbers are written without a code,
 * is another than it was made by. Done before the service listens, so that look-ups and stored columns always agree.
 */
@Injectable()
export class RefoldPersons {
  private readonly logger = new Logger(RefoldPersons.name);

  constructor(
    private readonly church: Church,
    private readonly transactions: Transactions,
  ) {}

  /** Does nothing where stored and current rule are the same. Can be cut short: the next start begins again. */
  async run(): Promise<void> {
    const { country } = this.church;
    const stored = await this.transactions.run((tx) =>
      sqlRow<{ version: number; country: string }>(tx, 'SELECT version, country FROM folding'),
    );
    if (stored?.version === FOLDING_VERSION && stored.country === country) return;
    for (let after = 0, done = 0; ;) {
      const batch = await this.transactions.run((tx) => refoldBatch(tx, after, country), UNHURRIED);
      done += batch.length;
      if (batch.length > 0 && done % (20 * BATCH) < batch.length) this.logger.log(`Folded ${done} persons anew`);
      const last = batch.at(-1);
      if (last === undefined) break;
      after = last;
    }
    await this.transactions.run((tx) =>
      sqlRows(
        tx,
        `INSERT INTO folding (version, country) VALUES ($1, $2)
         ON CONFLICT (only_row) DO UPDATE SET version = excluded.version, country = excluded.country`,
        [FOLDING_VERSION, country],
      ),
    );
  }
}

/** The ids that were looked at, in their order. */
async function refoldBatch(tx: EntityManager, after: number, country: string): Promise<number[]> {
  const persons = await sqlRows<PersonRow>(
    tx,
    `SELECT id, first_name, last_name, nickname, former_last_name, email, phone, email_folded, phone_folded
     FROM person WHERE id > $1 ORDER BY id LIMIT ${BATCH} FOR UPDATE`,
    [after],
  );
  const ids = persons.map(({ id }) => id);
  await sqlRows(tx, UPDATE_PERSONS, [
    ids,
    persons.map((person) => foldName(person.first_name)),
    persons.map((person) => foldName(person.last_name)),
    persons.map((person) => foldName(person.nickname ?? '')),
    persons.map((person) => foldName(person.former_last_name ?? '')),
    persons.map((person) => foldEmail(person.email)),
    persons.map((person) => foldPhone(person.phone, country)),
  ]);
  await refoldContacts(tx, ids, country);
  // What could not be compared before has no contact yet. One that Finance has removed must not come back.
  await sqlRows(tx, ADD_PRIMARY_CONTACTS, [
    persons.filter((person) => person.email_folded === null).map(({ id }) => id),
    persons.filter((person) => person.phone_folded === null).map(({ id }) => id),
  ]);
  return ids;
}

const UPDATE_PERSONS = `
  UPDATE person p SET first_name_folded = f.first, last_name_folded = f.last, nickname_folded = f.nickname,
    former_last_name_folded = f.former, email_folded = f.email, phone_folded = f.phone
  FROM unnest($1::integer[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
    AS f (id, first, last, nickname, former, email, phone)
  WHERE p.id = f.id AND (p.first_name_folded, p.last_name_folded, p.nickname_folded, p.former_last_name_folded,
    p.email_folded, p.phone_folded) IS DISTINCT FROM (f.first, f.last, f.nickname, f.former, f.email, f.phone)`;

/** Contacts that are equal by the new rule become one; one that cannot be compared any more waits with null. */
async function refoldContacts(tx: EntityManager, personIds: readonly number[], country: string): Promise<void> {
  const contacts = await sqlRows<{ id: number; kind: 'email' | 'phone'; value: string; folded: string | null }>(
    tx,
    'SELECT id, kind, value, folded FROM contact WHERE person_id = ANY ($1::integer[]) ORDER BY id',
    [personIds],
  );
  const changed = contacts
    .map(({ id, kind, value, folded }) => ({
      id,
      before: folded,
      after: kind === 'email' ? foldEmail(value) : foldPhone(value, country),
    }))
    .filter(({ before, after }) => before !== after);
  if (changed.length > 0) {
    await sqlRows(tx, MOVE_CONTACTS, [changed.map(({ id }) => id), changed.map(({ after }) => after)]);
  }
}

/** Taken out and put in again, so that two which trade places, or become one, do not meet the unique constraint. */
const MOVE_CONTACTS = `
  WITH taken AS (
    DELETE FROM contact WHERE id = ANY ($1::integer[]) RETURNING id, person_id, kind, value, confirmed, created_at
  )
  INSERT INTO contact (person_id, kind, value, folded, confirmed, created_at)
  SELECT DISTINCT ON (t.person_id, t.kind, COALESCE(f.folded, t.id::text)) t.person_id, t.kind, t.value, f.folded, t.confirmed, t.created_at
  FROM taken t JOIN unnest($1::integer[], $2::text[]) AS f (id, folded) USING (id)
  ORDER BY t.person_id, t.kind, COALESCE(f.folded, t.id::text), t.confirmed DESC, t.id
  ON CONFLICT ON CONSTRAINT contact_once_per_person DO UPDATE SET confirmed = contact.confirmed OR excluded.confirmed`;

const ADD_PRIMARY_CONTACTS = `
  INSERT INTO contact (person_id, kind, value, folded, confirmed)
  SELECT survivor.id, c.kind, c.value, c.folded, true
  FROM person p,
    LATERAL (VALUES
      ('email', p.email, p.email_folded, $1::integer[]), ('phone', p.phone, p.phone_folded, $2::integer[])
    ) AS c (kind, value, folded, persons),
    -- What a merged person had is the survivor's.
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
