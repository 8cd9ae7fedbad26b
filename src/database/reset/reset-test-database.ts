import type { Client } from 'pg';
import type { Mode } from '../../config/index.js';
import { beginEpochOfReset } from '../epochs/begin-books-epoch.js';
import { INSUFFICIENT_PRIVILEGE, sqlState } from '../errors/sqlstate.js';
import { lockTables } from '../migrating/lock-tables.js';
import type { Entity } from '../migrating/service-rights.js';
import { recordDatabaseAction } from '../record-database-action.js';
import { type Connection, openSession } from '../sessions/connection.js';
import { type FateOfRows, fateByTable } from './after-test-reset.js';

/** A reset of a test system. */
export interface TestReset {
  /** For the audit trail. */
  readonly actor: string;
  /** The mode of this process. Only `test` may reset. */
  readonly mode: Mode;
  /** All entities, each with what happens to its rows. */
  readonly entities: readonly Entity[];
  /** Called with what is done now, in a few words. */
  readonly report: (what: string) => void;
}

/** A table from which rows were deleted. */
export interface EmptiedTable {
  readonly table: string;
  readonly rows: number;
}

/** The reset was refused, and nothing was changed. The message says why. */
export class ResetRefusedError extends Error {}

const NOT_A_TEST_SYSTEM =
  'Only a test system can be reset, and this is none: its OFFERTORY_MODE is not test, or its database is not recorded as ' +
  'that of a test system. Nothing was changed.';

/**
 * Deletes all gifts and people of a test system, and all that was recorded about them, in one transaction. Users, what the
 * operator has set up and the audit trail stay. Ids continue, so that none is given out twice. Services may run meanwhile:
 * each of their transactions ends before, or begins after it.
 * @param owner connects as the owner of the tables
 * @returns the tables from which rows were deleted, by name.
 * @throws ResetRefusedError if this is no test system, or the role is not the owner.
 */
export async function resetTestDatabase(owner: Connection, reset: TestReset): Promise<EmptiedTable[]> {
  const client = await openSession(owner, 'offertory reset');
  try {
    await client.query(`
      SELECT set_config(name, '0', false) FROM pg_settings WHERE name IN ('statement_timeout', 'transaction_timeout')`);
    await client.query('BEGIN');
    // Before anything is locked; and again once it is, because a restore may replace the tables meanwhile.
    await assertTestSystem(client, reset.mode);
    const emptied = await emptyTables(client, reset);
    await client.query('COMMIT');
    return emptied;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw sqlState(error) === INSUFFICIENT_PRIVILEGE ? notTheOwner(error) : error;
  } finally {
    await client.end();
  }
}

async function emptyTables(client: Client, { actor, mode, entities, report }: TestReset): Promise<EmptiedTable[]> {
  const tables = [...fateByTable(entities)].filter(([, fate]) => fate !== 'kept').sort();
  // The lock with which epochs begin: taken before the tables, as a new connection of a service does.
  await client.query(`SELECT pg_advisory_xact_lock(hashtextextended('offertory.books_epoch', 0))`);
  report('Waiting for running calls');
  await lockTables(client, tables.map(([name]) => `public.${name}`).join(', '));
  await assertTestSystem(client, mode);
  report('Counting');
  const emptied: EmptiedTable[] = [];
  for (const [table, fate] of tables) {
    const rows = await countRows(client, table, fate);
    if (rows > 0) emptied.push({ table, rows });
  }
  const rows = emptied.reduce((sum, one) => sum + one.rows, 0);
  // First, because the triggers that refuse to empty tables look for it.
  await recordDatabaseAction(client, { actor, action: 'database.reset', details: { rows, tables: emptied.length } });
  report(`Deleting ${rows} rows`);
  await client.query(
    `TRUNCATE ${tables.flatMap(([name, fate]) => (fate === 'emptied' ? [`public.${name}`] : [])).join(', ')}`,
  );
  for (const [name, fate] of tables)
    if (typeof fate === 'object') await client.query(`DELETE FROM public.${name} WHERE ${fate.deletedWhere}`);
  await beginEpochOfReset(client);
  return emptied;
}

/** @throws ResetRefusedError unless both this process and the database belong to a test system. */
async function assertTestSystem(client: Client, mode: Mode): Promise<void> {
  const recorded = await client.query<{ found: boolean }>(
    `SELECT to_regclass('public.database_mode') IS NOT NULL AS found`,
  );
  const hasRecord = recorded.rows[0]?.found === true;
  const { rows } = hasRecord
    ? await client.query<{ mode: Mode }>('SELECT mode FROM public.database_mode')
    : { rows: [] };
  if (mode !== 'test' || rows[0]?.mode !== 'test') throw new ResetRefusedError(NOT_A_TEST_SYSTEM);
}

async function countRows(client: Client, table: string, fate: FateOfRows): Promise<number> {
  const condition = typeof fate === 'object' ? ` WHERE ${fate.deletedWhere}` : '';
  const { rows } = await client.query<{ count: string }>(`SELECT count(*) FROM public.${table}${condition}`);
  return Number(rows[0]?.count);
}

function notTheOwner(cause: unknown): Error {
  return new ResetRefusedError(
    'Only the owner of the tables can reset the test system: set MIGRATION_DATABASE_URL to connect as that role. With ' +
      'Docker: docker compose --profile test run --rm test-migrate offertory test reset',
    { cause },
  );
}
