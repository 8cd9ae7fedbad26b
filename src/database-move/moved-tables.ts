import type { Client } from 'pg';
import { ask } from './move-session.js';

/** What is carried from one database to another. */
export interface MovedTable {
  /** As SQL writes it: person, pgboss.job */
  readonly name: string;
  readonly columns: string;
  /** The rows that are carried, as a condition; all of them without. */
  readonly condition?: string;
}

/** Not moved: what the new database makes by itself, and what is forgotten within minutes anyway. */
const LEFT_BEHIND: ReadonlySet<string> = new Set([
  // Made by the same migrations there.
  'migrations',
  // Wrong passwords of the last minute.
  'login_failure',
  // Right ones of the last minutes, under a key of processes that have ended.
  'verified_login',
]);

/** Jobs that a killed process of the release before has left: the service on the new database takes them over (ADR 36). */
export const PGBOSS_JOBS = 'pgboss.job';
const UNDONE = "state < 'completed'";

interface CatalogTable extends Record<string, unknown> {
  readonly name: string;
  readonly columns: readonly string[];
  readonly referred: readonly string[];
}

/** From the catalog, so that a table of a later migration, or of somebody's own, is not forgotten. */
const TABLES = `
  SELECT format('%I', relname) AS name,
    ARRAY(SELECT format('%I', attname) FROM pg_attribute
      WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attname) AS columns,
    ARRAY(SELECT format('%I', r.relname) FROM pg_constraint f JOIN pg_class r ON r.oid = f.confrelid
      WHERE f.conrelid = c.oid AND f.contype = 'f' AND f.confrelid <> c.oid) AS referred
  FROM pg_class c
  WHERE relnamespace = to_regnamespace($1) AND relkind IN ('r', 'p') AND NOT relispartition
  ORDER BY relname`;

/** The tables of the books and of the queue, each after those that it refers to. */
export async function movedTables(client: Client): Promise<MovedTable[]> {
  const books = (await ask<CatalogTable>(client, TABLES, ['public'])).filter(({ name }) => !LEFT_BEHIND.has(name));
  const queue = (await ask<CatalogTable>(client, TABLES, ['pgboss'])).filter(({ name }) => name === 'job');
  return [
    ...inOrderOfReference(books).map(({ name, columns }) => ({ name, columns: columns.join(', ') })),
    ...queue.map(({ columns }) => ({ name: PGBOSS_JOBS, columns: columns.join(', '), condition: UNDONE })),
  ];
}

/** Its rows, for a FROM clause. */
export function rowsOf({ name, columns, condition }: MovedTable): string {
  return `(SELECT ${columns} FROM ${name}${condition === undefined ? '' : ` WHERE ${condition}`}) moved`;
}

function inOrderOfReference(tables: readonly CatalogTable[]): CatalogTable[] {
  const ordered: CatalogTable[] = [];
  let left = [...tables];
  while (left.length > 0) {
    const free = left.filter(({ referred }) => !left.some(({ name }) => referred.includes(name)));
    if (free.length === 0) throw new Error(`Tables refer to each other in a circle: ${namesOf(left)}`);
    ordered.push(...free);
    left = left.filter((table) => !free.includes(table));
  }
  return ordered;
}

function namesOf(tables: readonly { name: string }[]): string {
  return tables.map(({ name }) => name).join(', ');
}

interface Sequence extends Record<string, unknown> {
  readonly name: string;
  readonly next: string;
}

/** Ids go on where they were: one that was given away and taken back by a rollback is not given again either. */
export async function copySequences(source: Client, target: Client, tables: readonly MovedTable[]): Promise<void> {
  const names = tables.map(({ name }) => name);
  const sequences = await ask<{ name: string }>(
    source,
    `SELECT d.objid::regclass::text AS name FROM pg_depend d JOIN pg_class s ON s.oid = d.objid AND s.relkind = 'S'
     WHERE d.classid = 'pg_class'::regclass AND d.deptype IN ('i', 'a') AND d.refobjid = ANY ($1::text[]::regclass[])`,
    [names],
  );
  for (const { name } of sequences) {
    const [row] = await ask<Sequence>(source, `SELECT last_value + is_called::integer AS next FROM ${name}`);
    // Unlike setval, this is taken back by a rollback.
    await target.query(`ALTER SEQUENCE ${name} RESTART WITH ${row?.next ?? '1'}`);
  }
}
