import type { Client } from 'pg';
import {
  type Connection,
  ensureBooksEpoch,
  recordDatabaseAction,
  INSUFFICIENT_PRIVILEGE,
  isDatabaseUnavailable,
  continueBooksEpoch,
  migrateDatabase,
  sqlState,
} from '../database/index.js';
import { copyRows } from './copy-rows.js';
import { assertEqualFigures, type CurrencyTotal, readFigures, readTotals } from './figures.js';
import { ask, describeUrl, lockTables, openMoveSession } from './move-session.js';
import { MovedMarker } from '../embedded-postgres/index.js';
import { copySequences, JOBS, type MovedTable, movedTables, rowsOf } from './moved-tables.js';
import {
  inUse,
  mayNotMove,
  refuseInUse,
  refuseUnequalSchemas,
  refuseUnfitServer,
  refuseUnmigrated,
  refuseUsed,
} from './refusals.js';

/** How far a move has come, in rows. */
export type MoveProgress = (copied: number, total: number, table: string) => void;

/** What is moved where. */
export interface Move {
  readonly source: Connection;
  /** An empty database on PostgreSQL 15 or later. */
  readonly targetUrl: string;
  /** Where a service on the embedded database is to find that its books have gone; undefined for another source. */
  readonly dataDir: string | undefined;
  /** Who does it, for the audit trail. */
  readonly actor: string;
}

/** What was moved. */
export interface Moved {
  readonly to: string;
  readonly tables: readonly { readonly table: string; readonly rows: number }[];
  readonly totals: readonly CurrencyTotal[];
  /** The file that keeps a service from starting on the old books. */
  readonly marker: string | null;
}

/**
 * Carries all books, users and jobs into an empty database: in one transaction there, from one state of the source,
 * which nobody can write to meanwhile. It is committed only when both hold the same; the source stays as it is.
 * @throws Error in plain words when it cannot be; then nothing was changed but the schema of the new database.
 */
export async function moveDatabase(move: Move, progress: MoveProgress): Promise<Moved> {
  try {
    return await moveAsOwner(move, progress);
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    throw sqlState(cause) === INSUFFICIENT_PRIVILEGE ? mayNotMove(cause) : error;
  }
}

async function moveAsOwner(move: Move, progress: MoveProgress): Promise<Moved> {
  await refuseUnmigrated(move.source);
  const source = await openMoveSession(move.source);
  try {
    await refuseInUse(source, 'this');
    // A restored database may never have been served from: its epoch would be lost with the place where it is.
    await ensureBooksEpoch(source);
    const target = await openMoveSession({ url: move.targetUrl });
    try {
      await refuseUnfitServer(target);
      // Before the migrations as well: the schema of a database that is in use is nothing to be changed by mistake.
      await refuseUsed(target, await movedTables(target));
      await migrateDatabase({ url: move.targetUrl }, { actor: move.actor });
      return await transfer(source, target, move, progress);
    } finally {
      await target.end();
    }
  } finally {
    await source.end();
  }
}

async function transfer(source: Client, target: Client, move: Move, progress: MoveProgress): Promise<Moved> {
  const tables = await movedTables(source);
  await beginTarget(target);
  await beginSource(source, tables);
  await refuseUnequalSchemas([source, target], [tables, await movedTables(target)]);
  const counts = await countRows(source, tables);
  await copyAll(source, target, counts, progress);
  const total = sumOf(counts);
  progress(total, total, 'comparing');
  assertEqualFigures(await readFigures(source, tables), await readFigures(target, tables));
  await continueBooksEpoch(target);
  const totals = await readTotals(target);
  const from = 'url' in move.source ? describeUrl(move.source.url) : 'the embedded database';
  await recordDatabaseAction(target, { actor: move.actor, action: 'database.move', details: { from, rows: total } });
  const marker = await commit(source, target, move);
  return {
    to: describeUrl(move.targetUrl),
    tables: counts.map(({ table, rows }) => ({ table: table.name, rows })),
    totals,
    marker: marker?.path ?? null,
  };
}

/** From here on nobody else sees or changes anything in the new database. */
async function beginTarget(target: Client): Promise<void> {
  const tables = await movedTables(target);
  const names = tables.map(({ name }) => name);
  await target.query('BEGIN ISOLATION LEVEL READ COMMITTED');
  await lockTables(target, names, 'ACCESS EXCLUSIVE', inUse('the new'));
  await refuseInUse(target, 'the new');
  await refuseUsed(target, tables);
  // Their triggers make rows of other tables, and refuse what was closed: what they made is copied, what they refused
  // is not there. Keys and checks stay on.
  for (const name of names.filter((name) => name !== JOBS)) {
    await target.query(`ALTER TABLE ${name} DISABLE TRIGGER USER`);
  }
  await target.query(`TRUNCATE ${names.join(', ')}`);
}

/** One state of all tables, in which it stays: SHARE lets others read, and none of them write. */
async function beginSource(source: Client, tables: readonly MovedTable[]): Promise<void> {
  await source.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  // Before the first look, which decides what is seen from then on.
  const names = tables.map(({ name }) => name);
  await lockTables(source, names, 'SHARE', inUse('this'));
}

interface CountedTable {
  readonly table: MovedTable;
  readonly rows: number;
}

async function countRows(source: Client, tables: readonly MovedTable[]): Promise<CountedTable[]> {
  const counted: CountedTable[] = [];
  for (const table of tables) {
    const [row] = await ask<{ count: string }>(source, `SELECT count(*) FROM ${rowsOf(table)}`);
    counted.push({ table, rows: Number(row?.count) });
  }
  return counted;
}

function sumOf(counts: readonly CountedTable[]): number {
  return counts.reduce((sum, { rows }) => sum + rows, 0);
}

async function copyAll(
  source: Client,
  target: Client,
  counts: readonly CountedTable[],
  progress: MoveProgress,
): Promise<void> {
  const total = sumOf(counts);
  let copied = 0;
  for (const { table } of counts) {
    progress(copied, total, table.name);
    await copyRows(source, target, table, (rows) => {
      copied += rows;
      progress(copied, total, table.name);
    });
  }
  const tables = counts.map(({ table }) => table);
  await copySequences(source, target, tables);
  const names = tables.map(({ name }) => name);
  for (const name of names.filter((name) => name !== JOBS)) {
    await target.query(`ALTER TABLE ${name} ENABLE TRIGGER USER`);
  }
  // Which lets none of them be for sessions of any kind: that one was.
  await target.query('ALTER TABLE audit_entry ENABLE ALWAYS TRIGGER audit_entry_append_only');
  // The service's first requests must not wait for the server to find out what it has got.
  await target.query(`ANALYZE ${names.join(', ')}`);
}

/** Commits the new database while the old one is held, and marked: at no moment can both be gone on with. */
async function commit(source: Client, target: Client, { dataDir, targetUrl }: Move): Promise<MovedMarker | undefined> {
  const marker = dataDir === undefined ? undefined : new MovedMarker(dataDir, describeUrl(targetUrl));
  await marker?.announce();
  try {
    // Whoever starts from here on finds the marker; whoever came before is seen here.
    await refuseInUse(source, 'this');
  } catch (error) {
    await marker?.withdraw();
    throw error;
  }
  try {
    await target.query('COMMIT');
  } catch (error) {
    // Of a connection that was lost meanwhile nobody knows: the marker then says so.
    if (!isDatabaseUnavailable(error)) await marker?.withdraw();
    throw error;
  }
  await marker?.confirm();
  return marker;
}
