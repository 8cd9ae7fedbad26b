import type { EntityManager } from 'typeorm';
import { sqlRows } from '../../database/index.js';
import { findPersons, type FoundPersons } from './find-persons.js';
import { type AddParameter, hasAllWords, type PersonQuery, rarestFirst } from './person-conditions.js';

/** How well a person is found: by the id or phone number, by a whole name or address, by its beginning. */
const RANKS = [0, 1, 2] as const;
type Rank = (typeof RANKS)[number];

/** The last person of a page. Pages are in the order of ranks, then of PeopleIds. */
export interface PersonPosition {
  readonly rank: Rank;
  readonly id: number;
}

/** Up to so many persons are all read, and ranked. More are read in the order of the pages. */
const MANY = 2_000;

/** At most `limit` persons of the search after a position. */
export async function readPersonPage(
  tx: EntityManager,
  query: PersonQuery,
  { after, limit }: { readonly after: PersonPosition | undefined; readonly limit: number },
): Promise<PersonPosition[]> {
  const found = await findPersons(tx, query, MANY);
  if (found.byWords !== undefined) return rankAll(tx, query, found, { after, limit });
  const page: PersonPosition[] = [];
  for (const rank of RANKS) {
    if (page.length === limit || rank < (after?.rank ?? 0)) continue;
    const above = after?.rank === rank ? after.id : 0;
    const ids = await readRank(tx, query, found.direct, { rank, above, limit: limit - page.length });
    page.push(...ids.map((id) => ({ rank, id })));
  }
  return page;
}

const RANK_ALL = `
  SELECT rank, id FROM (
    SELECT p.id, CASE WHEN p.id = ANY ($1::integer[]) THEN 0
      WHEN EXISTS (SELECT FROM person_term t WHERE t.person_id = p.id AND t.term = $3) THEN 1 ELSE 2 END AS rank
    FROM unnest($1::integer[] || $2::integer[]) AS found JOIN person p ON p.id = found
    GROUP BY p.id
  ) ranked
  WHERE (rank, id) > ($4::integer, $5::integer) ORDER BY rank, id LIMIT $6`;

function rankAll(
  tx: EntityManager,
  { words }: PersonQuery,
  { direct, byWords }: FoundPersons,
  { after, limit }: { readonly after: PersonPosition | undefined; readonly limit: number },
): Promise<PersonPosition[]> {
  const word = rarestFirst(words)[0]?.prefix ?? null;
  return sqlRows(tx, RANK_ALL, [direct, byWords, word, after?.rank ?? 0, after?.id ?? 0, limit]);
}

/** The ids of one rank, where many persons have the words. */
async function readRank(
  tx: EntityManager,
  { words }: PersonQuery,
  direct: readonly number[],
  { rank, above, limit }: { readonly rank: Rank; readonly above: number; readonly limit: number },
): Promise<number[]> {
  if (rank === 0)
    return direct
      .filter((id) => id > above)
      .sort((one, other) => one - other)
      .slice(0, limit);
  const [rarest, ...others] = rarestFirst(words);
  if (rarest === undefined) return [];
  const values: unknown[] = [];
  const add: AddParameter = (value) => `$${values.push(value)}`;
  const statement =
    rank === 1
      ? `SELECT t.person_id AS id FROM person_term t
         WHERE t.term = ${add(rarest.prefix)} AND t.person_id > ${add(above)} AND t.person_id <> ALL (${add(direct)})
           AND ${hasAllWords('t.person_id', others, add)}
         ORDER BY t.person_id LIMIT ${add(limit)}`
      : `SELECT p.id FROM person p
         WHERE p.id > ${add(above)} AND p.id <> ALL (${add(direct)}) AND p.merged_into IS NULL
           AND NOT EXISTS (SELECT FROM person_term t WHERE t.person_id = p.id AND t.term = ${add(rarest.prefix)} OFFSET 0)
           AND ${hasAllWords('p.id', words, add)}
         ORDER BY p.id LIMIT ${add(limit)}`;
  return (await sqlRows<{ id: number }>(tx, statement, values)).map(({ id }) => id);
}
