import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Church } from '../../config/index.js';
import { sqlRow, sqlRows, Transactions } from '../../database/index.js';
import { foldEmail } from '../matching/folding.js';
import { nameEndings, phoneTerm } from './search-words.js';

/** Persons indexed in one transaction. */
const PERSONS_PER_STEP = 500;

interface PersonRow {
  readonly id: number;
  readonly names: readonly (string | null)[];
  readonly emails: readonly string[];
  readonly phones: readonly string[];
  /** The surviving person. */
  readonly survivor: number;
}

/** One step at a time: two that index the same person would wait for each other's rows. */
const LOCK = "SELECT pg_advisory_xact_lock(hashtext('person_term'))";

const TAKE_SINGLE = `
  DELETE FROM person_to_index WHERE id IN (
    SELECT id FROM person_to_index WHERE first_person_id = last_person_id LIMIT ${PERSONS_PER_STEP})
  RETURNING first_person_id AS id`;

const FIND_RANGE = `
  SELECT id, first_person_id AS "first", last_person_id AS "last" FROM person_to_index
  WHERE first_person_id < last_person_id ORDER BY last_person_id DESC LIMIT 1`;

/** From the newest to the oldest: those are searched for more often. */
const IDS_OF_RANGE = `
  SELECT id FROM person WHERE id BETWEEN $1 AND $2 ORDER BY id DESC LIMIT ${PERSONS_PER_STEP}`;

/** With OFFSET 0, each person is looked up: for a recursion the planner expects many rows, and would read all persons. */
const SELECT_PERSONS = `
  WITH RECURSIVE chain AS (
    SELECT id AS person, id, merged_into FROM person WHERE id = ANY ($1::integer[])
    UNION
    SELECT chain.person, p.id, p.merged_into
    FROM chain, LATERAL (SELECT id, merged_into FROM person WHERE id = chain.merged_into OFFSET 0) p
  )
  SELECT p.id, ARRAY[p.first_name, p.last_name, p.nickname, p.former_last_name] AS names, chain.id AS survivor,
    p.email || ARRAY(SELECT value FROM contact WHERE person_id = p.id AND kind = 'email') AS emails,
    p.phone || ARRAY(SELECT value FROM contact WHERE person_id = p.id AND kind = 'phone') AS phones
  FROM chain, LATERAL (SELECT * FROM person WHERE id = chain.person OFFSET 0) p
  WHERE chain.merged_into IS NULL`;

const MOVE_TERMS_OF_MERGED = `
  WITH moved AS (
    DELETE FROM person_term t USING unnest($1::integer[], $2::integer[]) AS merged (id, survivor)
    WHERE t.person_id = merged.id RETURNING t.term, merged.survivor
  )
  INSERT INTO person_term (term, person_id) SELECT DISTINCT term, survivor FROM moved ON CONFLICT DO NOTHING`;

const INSERT_TERMS = `
  INSERT INTO person_term (term, person_id) SELECT DISTINCT * FROM unnest($1::text[], $2::integer[])
  ON CONFLICT DO NOTHING`;

/**
 * Stores by which texts people are found (person_term). Triggers note who is new or has changed, whichever program writes.
 * Terms are only added: a person is also found by the names and contacts that it had before, with which gifts were sent.
 */
@Injectable()
export class IndexPersons {
  constructor(
    private readonly church: Church,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Indexes the persons that are new or have changed, some hundreds at most.
   * @returns whether all persons are indexed now.
   */
  async indexChanged(): Promise<boolean> {
    return this.transactions.run(async (tx) => {
      if (!(await hasAny(tx))) return true;
      await sqlRows(tx, LOCK);
      const taken = await sqlRows<{ id: number }>(tx, TAKE_SINGLE);
      await this.index(tx, [...new Set(taken.map(({ id }) => id))]);
      return !(await hasAny(tx));
    });
  }

  /** Indexes a step of the persons that were there before the search, the newest first. */
  async indexEarlier(): Promise<void> {
    await this.transactions.run(async (tx) => {
      await sqlRows(tx, LOCK);
      const range = await sqlRow<{ id: string; first: number; last: number }>(tx, FIND_RANGE);
      if (range === undefined) return;
      const ids = (await sqlRows<{ id: number }>(tx, IDS_OF_RANGE, [range.first, range.last])).map(({ id }) => id);
      await this.index(tx, ids);
      const next = ids.length < PERSONS_PER_STEP ? 0 : (ids.at(-1) ?? 0) - 1;
      if (next < range.first) await sqlRows(tx, 'DELETE FROM person_to_index WHERE id = $1', [range.id]);
      else await sqlRows(tx, 'UPDATE person_to_index SET last_person_id = $2 WHERE id = $1', [range.id, next]);
    });
  }

  private async index(tx: EntityManager, ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    const persons = await sqlRows<PersonRow>(tx, SELECT_PERSONS, [ids]);
    const merged = persons.filter(({ id, survivor }) => id !== survivor);
    if (merged.length > 0) {
      await sqlRows(tx, MOVE_TERMS_OF_MERGED, [merged.map(({ id }) => id), merged.map(({ survivor }) => survivor)]);
    }
    const terms = persons.flatMap((person) => this.termsOf(person).map((term) => [term, person.survivor] as const));
    await sqlRows(tx, INSERT_TERMS, [terms.map(([term]) => term), terms.map(([, person]) => person)]);
  }

  private termsOf({ names, emails, phones }: PersonRow): string[] {
    return [
      ...names.flatMap((name) => (name === null ? [] : nameEndings(name))),
      ...emails.map(foldEmail),
      ...phones.map((phone) => phoneTerm(phone, this.church.country)),
    ].filter((term) => term !== null);
  }
}

async function hasAny(tx: EntityManager): Promise<boolean> {
  return (await sqlRow(tx, 'SELECT FROM person_to_index LIMIT 1')) !== undefined;
}
