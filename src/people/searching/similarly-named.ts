import type { EntityManager } from 'typeorm';
import { sqlRows } from '../../database/index.js';
import { editsAllowed, editsBetween, wordsWithOneEdit } from './near-words.js';
import { LAST_CHARACTER } from './person-conditions.js';
import { searchWords } from './search-words.js';

/** A person whose name is like a search that has found nobody. */
export interface SimilarlyNamed {
  readonly peopleId: number;
  readonly first: string;
  readonly last: string;
}

/** Of the names with the same beginning, so many are compared. */
const MOST_COMPARED = 2_000;
const SAME_BEGINNING = 2;
/** Of the names near to a word, the nearest count; and of each, so many persons. */
const MOST_NEAR = 20;
const MOST_PERSONS = 1_000;

const SELECT_TERMS = `
  SELECT term FROM person_term WHERE term = ANY ($1::text[]) GROUP BY term
  UNION
  (SELECT term FROM person_term
   WHERE term >= $2 AND term < $3 AND length(term) BETWEEN $4 AND $5 GROUP BY term LIMIT ${MOST_COMPARED})`;

/** Who has the most of the words comes first, then whose names are nearest. Persons with fewer words are left out. */
const SELECT_PERSONS = `
  WITH found AS (
    SELECT t.person_id, count(DISTINCT near.word) AS words, sum(near.edits) AS edits
    FROM unnest($1::text[], $2::integer[], $3::integer[]) AS near (term, word, edits), LATERAL (
      SELECT person_id FROM person_term WHERE term = near.term LIMIT ${MOST_PERSONS}) t
    GROUP BY t.person_id
  )
  SELECT p.id AS "peopleId", p.first_name AS first, p.last_name AS last
  FROM found JOIN person p ON p.id = found.person_id
  WHERE found.words = (SELECT max(words) FROM found) AND p.merged_into IS NULL
  ORDER BY found.edits, p.id LIMIT $4`;

interface NearTerm {
  readonly term: string;
  /** Which word of the search it is near to. */
  readonly word: number;
  readonly edits: number;
}

/** Persons whose names are nearly those of a search, the nearest first. None if it has no word that can be mistyped. */
export async function similarlyNamed(tx: EntityManager, text: string, limit: number): Promise<SimilarlyNamed[]> {
  const near: NearTerm[] = [];
  for (const [index, { prefix }] of searchWords(text).entries()) near.push(...(await nearTerms(tx, prefix, index)));
  if (near.length === 0) return [];
  const columns = [near.map(({ term }) => term), near.map(({ word }) => word), near.map(({ edits }) => edits)];
  return sqlRows<SimilarlyNamed>(tx, SELECT_PERSONS, [...columns, limit]);
}

async function nearTerms(tx: EntityManager, prefix: string, word: number): Promise<NearTerm[]> {
  const allowed = editsAllowed(prefix);
  if (allowed === 0 || prefix.includes('@') || /\d/u.test(prefix)) return [];
  const letters = Array.from(prefix);
  const beginning = letters.slice(0, SAME_BEGINNING).join('');
  const rows = await sqlRows<{ term: string }>(tx, SELECT_TERMS, [
    [prefix, ...wordsWithOneEdit(prefix)],
    ...[beginning, beginning + LAST_CHARACTER],
    ...[letters.length - allowed, letters.length + allowed],
  ]);
  return rows
    .map(({ term }) => ({ term, word, edits: editsBetween(prefix, term) }))
    .filter(({ edits }) => edits <= allowed)
    .sort((one, other) => one.edits - other.edits)
    .slice(0, MOST_NEAR);
}
