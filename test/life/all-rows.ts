import type { Ledger } from '../support/ledger-invariants.js';

/** Forgotten within minutes, and made anew by whoever needs them. */
const SHORT_LIVED = ['login_failure', 'verified_login'];

/** All that a database holds for good: of every table its rows as text, in an order of their own. */
export async function readAllRows(ledger: Ledger): Promise<Map<string, string[]>> {
  const tables = await ledger.query<{ name: string }>(
    `SELECT relname::text AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> ALL ($1) ORDER BY relname`,
    [SHORT_LIVED],
  );
  const rows = new Map<string, string[]>();
  for (const { name } of tables) rows.set(name, await readRows(ledger, `SELECT to_jsonb(t) FROM ${name} t`));
  // The service's own upkeep makes new jobs of its own now and then.
  const jobs = `SELECT to_jsonb(j) FROM pgboss.job j
    WHERE state < 'completed' AND name NOT IN ('purge-idempotency-keys', 'refold-persons')`;
  rows.set('jobs', await readRows(ledger, jobs));
  return rows;
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
