import type { EntityManager } from 'typeorm';
import { sqlRows } from '../../database/index.js';
import { findPersons, type FoundPersons } from './find-persons.js';
import { type AddParameter, hasAllWords, hasWholeWords, type PersonQuery, rarestFirst } from './person-conditions.js';

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

/** Up to so many persons are all read, and ranked. More are read in the order of the pages. */
const MANY = 2_000;

/** @param query undefined: everybody, in the order of PeopleIds. */
export async function readPersonPage(
  tx: EntityManager,
  query: PersonQuery | undefined,
  request: PersonPageRequest,
): Promise<PersonPosition[]> {
  if (query === undefined) return readRanks(tx, EVERYBODY, [], request);
  const found = await findPersons(tx, query, MANY);
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

function rankAll(
  tx: EntityManager,
  { words }: PersonQuery,
  { direct, byWords }: Readonly<Record<keyof FoundPersons, readonly number[]>>,
  { after, limit }: PersonPageRequest,
): Promise<PersonPosition[]> {
  const values: unknown[] = [];
  const add: AddParameter = (value) => `$${values.push(value)}`;
  const byId = add(direct);
  const statement = `
    SELECT rank, id FROM (
      SELECT p.id, CASE WHEN p.id = ANY (${byId}::integer[]) THEN 0
        WHEN ${hasWholeWords('p.id', words, add)} THEN 1 ELSE 2 END AS rank
      FROM person p WHERE p.id = ANY (${byId}::integer[] || ${add(byWords)}::integer[])
    ) ranked
    WHERE (rank, id) > (${add(after?.rank ?? 0)}::integer, ${add(after?.id ?? 0)}::integer)
    ORDER BY rank, id LIMIT ${add(limit)}`;
  return sqlRows(tx, statement, values);
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
      : `SELECT p.id FROM person p
         WHERE p.id > ${add(above)} AND p.id <> ALL (${add(direct)}) AND p.merged_into IS NULL
           AND ${hasAllWords('p.id', words, add)}
           ${words.length === 0 ? '' : `AND NOT (${hasWholeWords('p.id', words, add)})`}
         ORDER BY p.id LIMIT ${add(limit)}`;
  return (await sqlRows<{ id: number }>(tx, statement, values)).map(({ id }) => id);
}
