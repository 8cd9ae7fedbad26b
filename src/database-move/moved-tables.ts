import type { Client } from 'pg';
import { type MoveSessions, queryRows } from './move-session.js';

/** A table that is moved. */
export interface MovedTable {
  /** In SQL: person, pgboss.job */
  readonly name: string;
  readonly columns: string;
  /** An SQL condition for the rows that are moved; undefined: all of them. */
  readonly condition?: string;
}

/** Tables that are not moved, because the new database has its own, or because their rows expire within minutes. */
const NOT_MOVED: ReadonlySet<string> = new Set([
  // The new database has run the same migrations.
  'migrations',
  // The wrong passwords of the last minute.
  'login_failure',
  // The verified passwords of the last minutes, with a key from the old database's password.
  'verified_login',
]);

/** Jobs that a killed process of the previous release has left. The service on the new database takes them over (ADR 36). */
export const PGBOSS_JOBS = 'pgboss.job';
const UNFINISHED = "state < 'completed'";

interface CatalogTable extends Record<string, unknown> {
  readonly name: string;
  readonly columns: readonly string[];
  readonly referred: readonly string[];
}

/** Read from the catalog, so that tables of later migrations or of the operator are included. */
const TABLES = `
  SELECT format('%I', relname) AS name,
    ARRAY(SELECT format('%I', attname) FROM pg_attribute
      WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attname) AS columns,
    ARRAY(SELECT format('%I', r.relname) FROM pg_constraint f JOIN pg_class r ON r.oid = f.confrelid
      WHERE f.conrelid = c.oid AND f.contype = 'f' AND f.confrelid <> c.oid) AS referred
  FROM pg_class c
  WHERE relnamespace = to_regnamespace($1) AND relkind IN ('r', 'p') AND NOT relispartition
  ORDER BY relname`;

/** The tables of the books and of the queue, each after the tables that it references. */
export async function movedTables(client: Client): Promise<MovedTable[]> {
  const books = (await queryRows<CatalogTable>(client, TABLES, ['public'])).filter(({ name }) => !NOT_MOVED.has(name));
  const queue = (await queryRows<CatalogTable>(client, TABLES, ['pgboss'])).filter(({ name }) => name === 'job');
  return [
    ...sortByReferences(books).map(({ name, columns }) => ({ name, columns: columns.join(', ') })),
    ...queue.map(({ columns }) => ({ name: PGBOSS_JOBS, columns: columns.join(', '), condition: UNFINISHED })),
  ];
}

/** The rows of a table, for a FROM clause. */
export function rowsOf({ name, columns, condition }: MovedTable): string {
  return `(SELECT ${columns} FROM ${name}${condition === undefined ? '' : ` WHERE ${condition}`}) moved`;
}

function sortByReferences(tables: readonly CatalogTable[]): CatalogTable[] {
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

/** Makes ids continue where they were, so that ids of transactions that were rolled back are not reused, either. */
export async function copySequences({ source, target }: MoveSessions, tables: readonly MovedTable[]): Promise<void> {
  const names = tables.map(({ name }) => name);
  const sequences = await queryRows<{ name: string }>(
    source,
    `SELECT d.objid::regclass::text AS name FROM pg_depend d JOIN pg_class s ON s.oid = d.objid AND s.relkind = 'S'
     WHERE d.classid = 'pg_class'::regclass AND d.deptype IN ('i', 'a') AND d.refobjid = ANY ($1::text[]::regclass[])`,
    [names],
  );
  for (const { name } of sequences) {
    const [row] = await queryRows<Sequence>(source, `SELECT last_value + is_called::integer AS next FROM ${name}`);
    // Unlike setval, a rollback undoes this.
    await target.query(`ALTER SEQUENCE ${name} RESTART WITH ${row?.next ?? '1'}`);
  }
}
