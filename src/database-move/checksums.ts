import type { Client } from 'pg';
import { queryRows } from './move-session.js';
import { type MovedTable, rowsOf } from './moved-tables.js';

/** Values that are compared between two databases, by a description. */
export type Checksums = ReadonlyMap<string, string>;

/** The count and sum of the contributions in one currency. */
export interface CurrencyTotal extends Record<string, unknown> {
  readonly currency: string;
  readonly count: string;
  readonly total: string;
}

const GROUPINGS = ['fund_id', 'person_id', 'bundle_id'] as const;

/** Reads each table's number of rows and sum of their digests, and the sums of money by fund, person and bundle. */
export async function readChecksums(client: Client, tables: readonly MovedTable[]): Promise<Checksums> {
  const checksums = new Map<string, string>();
  for (const table of tables) {
    const [row] = await queryRows<{ count: string; digest: string }>(client, contentOf(table));
    checksums.set(`the number of rows in ${table.name}`, row?.count ?? '');
    checksums.set(`the content of ${table.name}`, row?.digest ?? '');
  }
  for (const column of GROUPINGS) {
    const [row] = await queryRows<{ digest: string }>(client, sumsBy(column));
    checksums.set(`the sums by ${column.replace('_id', '')}`, row?.digest ?? '');
  }
  checksums.set('the sums by currency', JSON.stringify(await readTotals(client)));
  return checksums;
}

/** The sums by currency, including reversals. */
export function readTotals(client: Client): Promise<CurrencyTotal[]> {
  return queryRows<CurrencyTotal>(
    client,
    'SELECT currency, count(*), sum(amount) AS total FROM contribution GROUP BY currency ORDER BY currency COLLATE "C"',
  );
}

/** @throws Error which names the differences. */
export function assertEqualChecksums(before: Checksums, after: Checksums): void {
  const unequal = [...before.keys()].filter((name) => before.get(name) !== after.get(name));
  if (unequal.length === 0) return;
  throw new Error(
    `The copy is not the same as the original, so nothing was moved: ${unequal.join(', ')} differ. Both databases are ` +
      'unchanged. Please report this.',
  );
}

/** Adds up the digests of the rows, so that their order does not matter. */
function contentOf(table: MovedTable): string {
  const row = `ROW(${table.columns})::text`;
  const digest = `('x' || left(encode(sha256(convert_to(${row}, 'UTF8')), 'hex'), 15))::bit(60)::bigint`;
  return `SELECT count(*), COALESCE(sum(${digest}), 0) AS digest FROM ${rowsOf(table)}`;
}

function sumsBy(column: (typeof GROUPINGS)[number]): string {
  return `
    SELECT encode(sha256(convert_to(COALESCE(string_agg(line, ';' ORDER BY line COLLATE "C"), ''), 'UTF8')), 'hex') AS digest
    FROM (SELECT concat_ws(' ', ${column}, currency, count(*), sum(amount)) AS line
      FROM contribution GROUP BY ${column}, currency) sums`;
}
