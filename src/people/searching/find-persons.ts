import type { EntityManager } from 'typeorm';
import { sqlRows } from '../../database/index.js';
import { type AddParameter, hasAllWords, type PersonQuery, personsWith, rarestFirst } from './person-conditions.js';
import type { SearchWord } from './search-words.js';

/** The persons that a search finds. */
export interface FoundPersons {
  /** Those with the phone number or the id of the search. */
  readonly direct: readonly number[];
  /** Those who have all words of the search, or undefined if they are more than the limit. */
  readonly byWords: readonly number[] | undefined;
}

/** A merged person leads to the surviving one. OFFSET 0: see index-persons.service.ts. */
const SELECT_DIRECT = `
  WITH RECURSIVE chain AS (
    SELECT id, merged_into FROM person WHERE id = $1
    UNION
    SELECT p.id, p.merged_into
    FROM chain, LATERAL (SELECT id, merged_into FROM person WHERE id = chain.merged_into OFFSET 0) p
  )
  SELECT id FROM chain WHERE merged_into IS NULL
  UNION
  (SELECT person_id FROM person_term WHERE term = $2 ORDER BY person_id LIMIT $3)`;

/** The persons of a search, in no order. @param limit for the persons that are listed. */
export async function findPersons(tx: EntityManager, query: PersonQuery, limit: number): Promise<FoundPersons> {
  const direct =
    query.id === null && query.phone === null
      ? []
      : await sqlRows<{ id: number }>(tx, SELECT_DIRECT, [query.id, query.phone, limit]);
  return { direct: direct.map(({ id }) => id), byWords: await findByWords(tx, query.words, limit) };
}

/** Counts each term of a person: whoever has the words in several names may count twice towards the limit. */
async function findByWords(
  tx: EntityManager,
  words: readonly SearchWord[],
  limit: number,
): Promise<number[] | undefined> {
  const [rarest, ...others] = rarestFirst(words);
  if (rarest === undefined) return [];
  const values: unknown[] = [];
  const add: AddParameter = (value) => `$${values.push(value)}`;
  const statement = `
    SELECT t.person_id AS id FROM ${personsWith(rarest, add)} t
    WHERE ${hasAllWords('t.person_id', others, add)}
    LIMIT ${add(limit + 1)}`;
  const rows = await sqlRows<{ id: number }>(tx, statement, values);
  return rows.length > limit ? undefined : [...new Set(rows.map(({ id }) => id))];
}
