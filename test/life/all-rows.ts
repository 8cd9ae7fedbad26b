import type { Ledger } from '../support/ledger-invariants.js';

/** Tables whose rows live for minutes and are created again when needed. */
const SHORT_LIVED = ['login_failure', 'verified_login'];

/** Tables that jobs derive from the others, at any time. */
const DERIVED = [
  'person_term',
  'person_to_index',
  'gift_term',
  'gift_to_index',
  'fund_month_total',
  'reading_progress',
];

/** All lasting content of a database: the rows of each table as text, sorted. */
export async function readAllRows(ledger: Ledger): Promise<Map<string, string[]>> {
  const tables = await ledger.query<{ name: string }>(
    `SELECT relname::text AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> ALL ($1) ORDER BY relname`,
    [[...SHORT_LIVED, ...DERIVED, 'job']],
  );
  const rows = new Map<string, string[]>();
  for (const { name } of tables) rows.set(name, await readRows(ledger, `SELECT to_jsonb(t) FROM ${name} t`));
  rows.set('jobs', await readRows(ledger, `SELECT to_jsonb(j) FROM (${await jobsOf(ledger)}) j`));
  return rows;
}

/** A statement for the unfinished jobs, without periodic ones. The released version keeps its jobs in pg-boss only. */
async function jobsOf(ledger: Ledger): Promise<string> {
  const inPgboss = `SELECT name AS queue, data, start_after AS due_at FROM pgboss.job
    WHERE state < 'completed' AND singleton_on IS NULL`;
  const [table] = await ledger.query<{ exists: boolean }>(`SELECT to_regclass('public.job') IS NOT NULL AS exists`);
  if (table?.exists !== true) return inPgboss;
  return `${inPgboss} UNION ALL SELECT queue, data, due_at FROM job WHERE every_seconds IS NULL`;
}

async function readRows(ledger: Ledger, select: string): Promise<string[]> {
  const rows = await ledger.query<{ row: string }>(
    `SELECT row::text FROM (${select}) rows (row) ORDER BY row::text COLLATE "C"`,
  );
  return rows.map(({ row }) => row);
}

/** @throws Error that names the tables that differ, with the first rows that only one side has. */
export function assertSameRows(before: Map<string, string[]>, after: Map<string, string[]>): void {
  const faults = [...new Set([...before.keys(), ...after.keys()])].flatMap((table) => {
    const [was, is] = [before.get(table) ?? [], after.get(table) ?? []];
    const [lost, added] = [without(was, is), without(is, was)];
    if (lost.length + added.length === 0 && was.length === is.length) return [];
    return [`${table}: ${was.length} rows before, ${is.length} after\n- ${lost[0] ?? ''}\n+ ${added[0] ?? ''}`];
  });
  if (faults.length > 0) throw new Error(`Not all rows are the same:\n${faults.join('\n')}`);
}

function without(rows: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others);
  return rows.filter((row) => !known.has(row));
}
