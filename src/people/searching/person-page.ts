import type { EntityManager } from 'typeorm';
import { sqlRow, sqlRows } from '../../database/index.js';
import { findPersons, type FoundPersons } from './find-persons.js';
import {
  type AddParameter,
  hasAllWords,
  hasWholeWords,
  type PersonQuery,
  personsWith,
  rarestFirst,
} from './person-conditions.js';
import type { SearchWord } from './search-words.js';

/** How well a person is found: by the id or phone number, by whole names or addresses, by their beginnings. */
const RANKS = [0, 1, 2] as const;
type Rank = (typeof RANKS)[number];

/** The last person of a page. Pages are in the order of ranks, then of PeopleIds. */
export interface PersonPosition {
  readonly rank: Rank;
  readonly id: number;
}

/** The requested page: at most `limit` persons after a position. */
export interface PersonPageRequest {
  readonly after: PersonPosition | undefined;
  readonly limit: number;
}

/** The ids of up to so many persons are all read, and ranked. */
const FEW = 5_000;

/**
 * The database sorts up to so many persons by id, which takes less than 0.1 s. More are so many that a page is soon full by going
 * through all persons. For fewer that could take long: after an import in alphabetical order, Z comes last.
 */
const SORTED = 200_000;

/** @param query undefined: everybody, in the order of PeopleIds. */
export async function readPersonPage(
  tx: EntityManager,
  query: PersonQuery | undefined,
  request: PersonPageRequest,
): Promise<PersonPosition[]> {
  if (query === undefined) return readRanks(tx, EVERYBODY, [], request);
  const found = await findPersons(tx, query, FEW);
  return found.byWords === undefined
    ? readRanks(tx, query, found.direct, request)
    : rankAll(tx, query, { ...found, byWords: found.byWords }, request);
}

const EVERYBODY: PersonQuery = { words: [], phone: null, id: null };

async function readRanks(
  tx: EntityManager,
  query: PersonQuery,
  direct: readonly number[],
  { after, limit }: PersonPageRequest,
): Promise<PersonPosition[]> {
  const page: PersonPosition[] = [];
  for (const rank of RANKS) {
    if (page.length === limit || rank < (after?.rank ?? 0)) continue;
    const above = after?.rank === rank ? after.id : 0;
    const ids = await readRank(tx, query, direct, { rank, above, limit: limit - page.length });
    page.push(...ids.map((id) => ({ rank, id })));
  }
  return page;
}

async function rankAll(
  tx: EntityManager,
  { words }: PersonQuery,
  { direct, byWords }: Readonly<Record<keyof FoundPersons, readonly number[]>>,
  { after, limit }: PersonPageRequest,
): Promise<PersonPosition[]> {
  const whole = new Set(await findWhole(tx, words));
  const ranks = new Map(byWords.map((id): [number, Rank] => [id, whole.has(id) ? 1 : 2]));
  for (const id of direct) ranks.set(id, 0);
  const isAfter = (position: PersonPosition): boolean => after === undefined || compare(position, after) > 0;
  const positions = [...ranks].map(([id, rank]) => ({ id, rank }));
  return positions.filter(isAfter).sort(compare).slice(0, limit);
}

function compare(one: PersonPosition, other: PersonPosition): number {
  return one.rank - other.rank || one.id - other.id;
}

/** The persons who have all words as whole names or addresses: no more than {@link findPersons} has found. */
async function findWhole(tx: EntityManager, words: PersonQuery['words']): Promise<number[]> {
  const [rarest] = rarestFirst(words);
  if (rarest === undefined) return [];
  const values: unknown[] = [];
  const add: AddParameter = (value) => `$${values.push(value)}`;
  const statement = `
    SELECT t.person_id AS id FROM person_term t
    WHERE t.term = ${add(rarest.prefix)} AND ${hasWholeWords('t.person_id', words, add)}`;
  return (await sqlRows<{ id: number }>(tx, statement, values)).map(({ id }) => id);
}

/** The ids of one rank, where many persons have the words. */
async function readRank(
  tx: EntityManager,
  { words }: PersonQuery,
  direct: readonly number[],
  { rank, above, limit }: { readonly rank: Rank; readonly above: number; readonly limit: number },
): Promise<number[]> {
  if (rank === 0)
    return [...direct]
      .filter((id) => id > above)
      .sort((one, other) => one - other)
      .slice(0, limit);
  const [rarest] = rarestFirst(words);
  if (rank === 1 && rarest === undefined) return [];
  const values: unknown[] = [];
  const add: AddParameter = (value) => `$${values.push(value)}`;
  const statement =
    rank === 1
      ? `SELECT t.person_id AS id FROM person_term t
         WHERE t.term = ${add(rarest?.prefix)} AND t.person_id > ${add(above)} AND t.person_id <> ALL (${add(direct)})
           AND ${hasWholeWords('t.person_id', words, add)}
         ORDER BY t.person_id LIMIT ${add(limit)}`
      : `SELECT p.id FROM ${await personsInOrder(tx, rarest, above, add)} p
         WHERE p.id <> ALL (${add(direct)}) AND ${hasAllWords('p.id', words, add)}
           ${words.length === 0 ? '' : `AND NOT (${hasWholeWords('p.id', words, add)})`}
         ORDER BY p.id LIMIT ${add(limit)}`;
  return (await sqlRows<{ id: number }>(tx, statement, values)).map(({ id }) => id);
}

/**
 * SQL for a table of ids in their order, above one: of the persons with the word, or of all if too many have it. OFFSET 0
 * keeps the order, so that conditions are checked only until the page is full.
 */
async function personsInOrder(
  tx: EntityManager,
  word: SearchWord | undefined,
  above: number,
  add: AddParameter,
): Promise<string> {
  return word !== undefined && (await isSorted(tx, word))
    ? `(SELECT DISTINCT w.person_id AS id FROM ${personsWith(word, add)} w
        WHERE w.person_id > ${add(above)} ORDER BY w.person_id OFFSET 0)`
    : `(SELECT id FROM person WHERE id > ${add(above)} AND merged_into IS NULL ORDER BY id OFFSET 0)`;
}

/** Whether at most {@link SORTED} persons have the word. */
async function isSorted(tx: EntityManager, word: SearchWord): Promise<boolean> {
  const values: unknown[] = [];
  const add: AddParameter = (value) => `$${values.push(value)}`;
  const found = `SELECT FROM ${personsWith(word, add)} w LIMIT ${SORTED + 1}`;
  const row = await sqlRow<{ readonly count: number }>(
    tx,
    `SELECT count(*)::integer AS count FROM (${found}) found`,
    values,
  );
  return row !== undefined && row.count <= SORTED;
}
