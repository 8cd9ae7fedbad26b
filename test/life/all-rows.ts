import type { Ledger } from '../support/ledger-invariants.js';

/** Forgotten within minutes, and made anew by whoever needs them. */
const SHORT_LIVED = ['login_failure', 'verified_login'];

/** All that a database holds for good: of every table its rows as text, in an order of their own. */
export async function readAllRows(ledger: Ledger): Promise<Map<string, string[]>> {
  const tables = await ledger.query<{ name: string }>(
    `SELECT relname::text AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> ALL ($1) ORDER BY relname`,
    [[...SHORT_LIVED, 'job']],
  );
  const rows = new Map<string, string[]>();
  for (const { name } of tables) rows.set(name, await readRows(ledger, `SELECT to_jsonb(t) FROM ${name} t`));
  rows.set('jobs', await readRows(ledger, `SELECT to_jsonb(j) FROM (${await jobsOf(ledger)}) j`));
  return rows;
}

/** Jobs that are not done, but for the service's own periodic ones; the released version has them in pg-boss alone. */
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

/** @throws Error that names the tables that differ, with the first rows that one side has alone. */
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
