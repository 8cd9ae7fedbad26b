import type { Client } from 'pg';
import { ask } from './move-session.js';
import { type MovedTable, rowsOf } from './moved-tables.js';

/** What is compared between two databases: by what it is about, a text that says how much. */
export type Figures = ReadonlyMap<string, string>;

/** Count and sum of contributions in one currency. */
export interface CurrencyTotal extends Record<string, unknown> {
  readonly currency: string;
  readonly count: string;
  readonly total: string;
}

const MONEY = ['fund_id', 'person_id', 'bundle_id'] as const;

/** Of each table the number of rows and a sum over digests of them, and the sums of money by what they belong to. */
export async function readFigures(client: Client, tables: readonly MovedTable[]): Promise<Figures> {
  const figures = new Map<string, string>();
  for (const table of tables) {
    const [row] = await ask<{ count: string; digest: string }>(client, contentOf(table));
    figures.set(`the number of rows in ${table.name}`, row?.count ?? '');
    figures.set(`the content of ${table.name}`, row?.digest ?? '');
  }
  for (const column of MONEY) {
    const [row] = await ask<{ digest: string }>(client, sumsBy(column));
    figures.set(`the sums by ${column.replace('_id', '')}`, row?.digest ?? '');
  }
  figures.set('the sums by currency', JSON.stringify(await readTotals(client)));
  return figures;
}

/** The sums by currency, reversals counted. */
export function readTotals(client: Client): Promise<CurrencyTotal[]> {
  return ask<CurrencyTotal>(
    client,
    'SELECT currency, count(*), sum(amount) AS total FROM contribution GROUP BY currency ORDER BY currency COLLATE "C"',
  );
}

/** @throws Error that names what differs. */
export function assertEqualFigures(before: Figures, after: Figures): void {
  const unequal = [...before.keys()].filter((name) => before.get(name) !== after.get(name));
  if (unequal.length === 0) return;
  throw new Error(
    `What arrived is not what was sent, so nothing was moved: ${unequal.join(', ')} differ. Both databases are as they ` +
      'were. Please report this.',
  );
}

/** Rows in any order: their digests are added up. */
function contentOf(table: MovedTable): string {
  const row = `ROW(${table.columns})::text`;
  const digest = `('x' || left(encode(sha256(convert_to(${row}, 'UTF8')), 'hex'), 15))::bit(60)::bigint`;
  return `SELECT count(*), COALESCE(sum(${digest}), 0) AS digest FROM ${rowsOf(table)}`;
}

function sumsBy(column: (typeof MONEY)[number]): string {
  return `
    SELECT encode(sha256(convert_to(COALESCE(string_agg(line, ';' ORDER BY line COLLATE "C"), ''), 'UTF8')), 'hex') AS digest
    FROM (SELECT concat_ws(' ', ${column}, currency, count(*), sum(amount)) AS line
      FROM contribution GROUP BY ${column}, currency) sums`;
}
