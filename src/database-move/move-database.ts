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
import { assertEqualChecksums, type CurrencyTotal, readChecksums, readTotals } from './checksums.js';
import { queryRows, describeUrl, lockTables, type MoveSessions, openMoveSession } from './move-session.js';
import { MovedMarker } from '../embedded-postgres/index.js';
import { copySequences, PGBOSS_JOBS, type MovedTable, movedTables, rowsOf } from './moved-tables.js';
import {
  inUseMessage,
  mayNotMove,
  refuseInUse,
  refuseUnequalSchemas,
  refuseUnsuitableServer,
  refuseUnmigrated,
  refuseUsed,
} from './refusals.js';

/** Called with the progress of a move, in rows. */
export type MoveProgress = (copied: number, total: number, table: string) => void;

export interface Move {
  readonly source: Connection;
  /** An empty database on PostgreSQL 15 or later. */
  readonly targetUrl: string;
  /** The data directory of the embedded database, in which the move is marked; undefined for another source. */
  readonly dataDir: string | undefined;
  /** For the audit trail. */
  readonly actor: string;
}

/** The result of a move. */
export interface Moved {
  readonly to: string;
  readonly tables: readonly { readonly table: string; readonly rows: number }[];
  readonly totals: readonly CurrencyTotal[];
  /** The file that prevents a service from starting on the old books. */
  readonly marker: string | null;
}

/**
 * Copies all books, users and jobs to an empty database. It uses one transaction there, and one state of the source,
 * which is locked against writes. It commits only after comparing both databases. The source does not change.
 * @throws Error with advice when the move fails; then only the schema of the new database may have changed.
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
    // A restored database that no service has used yet gets its new epoch now: later it would not be detected.
    await ensureBooksEpoch(source);
    const target = await openMoveSession({ url: move.targetUrl });
    try {
      await refuseUnsuitableServer(target);
      // Checked before the migrations, too, so that a move never changes the schema of a used database by mistake.
      await refuseUsed(target, await movedTables(target));
      await migrateDatabase({ url: move.targetUrl }, { actor: move.actor });
      return await transfer({ source, target }, move, progress);
    } finally {
      await target.end();
    }
  } finally {
    await source.end();
  }
}

async function transfer(sessions: MoveSessions, move: Move, progress: MoveProgress): Promise<Moved> {
  const { source, target } = sessions;
  const tables = await movedTables(source);
  const alwaysTriggers = await beginTarget(target);
  await beginSource(source, tables);
  await refuseUnequalSchemas([source, target], [tables, await movedTables(target)]);
  const counts = await countRows(source, tables);
  await copyAll(sessions, counts, progress);
  await enableTriggers(target, tables, alwaysTriggers);
  const total = sumOf(counts);
  progress(total, total, 'comparing');
  assertEqualChecksums(await readChecksums(source, tables), await readChecksums(target, tables));
  await continueBooksEpoch(target);
  const totals = await readTotals(target);
  const from = 'url' in move.source ? describeUrl(move.source.url) : 'the embedded database';
  await recordDatabaseAction(target, { actor: move.actor, action: 'database.move', details: { from, rows: total } });
  const marker = await commit(sessions, move);
  return {
    to: describeUrl(move.targetUrl),
    tables: counts.map(({ table, rows }) => ({ table: table.name, rows })),
    totals,
    marker: marker?.path ?? null,
  };
}

/** A trigger that fires in sessions of every replication role. */
interface AlwaysTrigger extends Record<string, unknown> {
  readonly table: string;
  readonly name: string;
}

const ALWAYS_TRIGGERS = `
  SELECT tgrelid::regclass::text AS table, format('%I', tgname) AS name FROM pg_trigger
  WHERE tgenabled = 'A' AND NOT tgisinternal AND tgrelid = ANY ($1::text[]::regclass[])`;

/**
 * Locks the new database: from here on no other session can read or change its tables.
 * @returns the triggers that {@link enableTriggers} has to enable in a special way.
 */
async function beginTarget(target: Client): Promise<AlwaysTrigger[]> {
  const tables = await movedTables(target);
  const names = tables.map(({ name }) => name);
  await target.query('BEGIN ISOLATION LEVEL READ COMMITTED');
  await lockTables(target, names, 'ACCESS EXCLUSIVE', inUseMessage('the new'));
  await refuseInUse(target, 'the new');
  await refuseUsed(target, tables);
  const alwaysTriggers = await queryRows<AlwaysTrigger>(target, ALWAYS_TRIGGERS, [names]);
  // The triggers create rows in other tables, which are copied anyway, and refuse changes of closed bundles, which are
  // not changed here. Keys and checks stay enabled.
  for (const name of names.filter((name) => name !== PGBOSS_JOBS)) {
    await target.query(`ALTER TABLE ${name} DISABLE TRIGGER USER`);
  }
  await target.query(`TRUNCATE ${names.join(', ')}`);
  return alwaysTriggers;
}

/** Enables the triggers again that {@link beginTarget} has disabled. */
async function enableTriggers(
  target: Client,
  tables: readonly MovedTable[],
  alwaysTriggers: readonly AlwaysTrigger[],
): Promise<void> {
  for (const { name } of tables.filter(({ name }) => name !== PGBOSS_JOBS)) {
    await target.query(`ALTER TABLE ${name} ENABLE TRIGGER USER`);
  }
  for (const { table, name } of alwaysTriggers) {
    await target.query(`ALTER TABLE ${table} ENABLE ALWAYS TRIGGER ${name}`);
  }
}

/** Fixes one state of all tables. With SHARE locks other sessions can read, but not write. */
async function beginSource(source: Client, tables: readonly MovedTable[]): Promise<void> {
  await source.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  // Locked before the first query, which determines the snapshot.
  const names = tables.map(({ name }) => name);
  await lockTables(source, names, 'SHARE', inUseMessage('this'));
}

interface CountedTable {
  readonly table: MovedTable;
  readonly rows: number;
}

async function countRows(source: Client, tables: readonly MovedTable[]): Promise<CountedTable[]> {
  const counted: CountedTable[] = [];
  for (const table of tables) {
    const [row] = await queryRows<{ count: string }>(source, `SELECT count(*) FROM ${rowsOf(table)}`);
    counted.push({ table, rows: Number(row?.count) });
  }
  return counted;
}

function sumOf(counts: readonly CountedTable[]): number {
  return counts.reduce((sum, { rows }) => sum + rows, 0);
}

async function copyAll(sessions: MoveSessions, counts: readonly CountedTable[], progress: MoveProgress): Promise<void> {
  const { target } = sessions;
  const total = sumOf(counts);
  let copied = 0;
  for (const { table } of counts) {
    progress(copied, total, table.name);
    await copyRows(sessions, table, (rows) => {
      copied += rows;
      progress(copied, total, table.name);
    });
  }
  const tables = counts.map(({ table }) => table);
  await copySequences(sessions, tables);
  // Without this the first requests would get bad plans until the server's own ANALYZE.
  await target.query(`ANALYZE ${tables.map(({ name }) => name).join(', ')}`);
}

/** Commits the new database while the old one is locked and marked, so that a service can never use both. */
async function commit(
  { source, target }: MoveSessions,
  { dataDir, targetUrl }: Move,
): Promise<MovedMarker | undefined> {
  const marker = dataDir === undefined ? undefined : new MovedMarker(dataDir, describeUrl(targetUrl));
  await marker?.announce();
  try {
    // A process that starts after this finds the marker. One that started before is detected here.
    await refuseInUse(source, 'this');
  } catch (error) {
    await marker?.withdraw();
    throw error;
  }
  try {
    await target.query('COMMIT');
  } catch (error) {
    // If the connection was lost, the result is unknown, and the marker says so.
    if (!isDatabaseUnavailable(error)) await marker?.withdraw();
    throw error;
  }
  await marker?.confirm();
  return marker;
}
