import type { Mode } from '../../config/index.js';
import { type Connection, openSession } from '../sessions/connection.js';

/** Runs a statement and returns its rows. */
export type Query = <Row>(sql: string, values?: unknown[]) => Promise<readonly Row[]>;

/** The database is used in the other mode. The message says what to do. */
export class OtherModeError extends Error {}

const WHAT_TO_DO: Readonly<Record<Mode, string>> = {
  live:
    'This database belongs to a test system, whose gifts are not real, but OFFERTORY_MODE is live. Name the database of ' +
    'the church in DATABASE_URL, or in DATA_DIR without one. To run the test system, set OFFERTORY_MODE=test.',
  test:
    'This database holds the books of the church, but OFFERTORY_MODE is test. A test system needs a database of its own: ' +
    'name an empty one in DATABASE_URL, or set DATA_DIR to another directory. To run the live service, remove OFFERTORY_MODE.',
};

/**
 * The mode in which a database is used: the recorded one, or `live` if it is in use without a record, as those of versions
 * without modes are. Undefined for a new database.
 */
async function readMode(query: Query): Promise<Mode | undefined> {
  if (await exists(query, 'database_mode')) {
    const [recorded] = await query<{ mode: Mode }>('SELECT mode FROM public.database_mode');
    if (recorded !== undefined) return recorded.mode;
  }
  for (const table of ['app_user', 'contribution'])
    if ((await exists(query, table)) && (await query(`SELECT FROM public.${table} LIMIT 1`)).length > 0) return 'live';
  return undefined;
}

/** @throws OtherModeError if the database is used in another mode than this one. */
export async function assertMode(query: Query, mode: Mode): Promise<void> {
  const found = await readMode(query);
  if (found !== undefined && found !== mode) throw new OtherModeError(WHAT_TO_DO[mode]);
}

/** {@link assertMode} over a connection of its own. */
export async function assertModeOf(connection: Connection, mode: Mode): Promise<void> {
  const session = await openSession(connection, 'offertory mode', { readsOnly: true });
  try {
    await assertMode(async <Row>(sql: string) => (await session.query(sql)).rows as Row[], mode);
  } finally {
    await session.end();
  }
}

/**
 * Records the mode of a database for ever, unless that is done. Only its owner can: for the service's role, the owner has done so
 * with the migrations.
 * @throws OtherModeError as {@link assertMode}; and if a database without a record is to become that of a test system.
 */
export async function recordMode(query: Query, mode: Mode): Promise<void> {
  const [right] = await query<{ may: boolean }>(`SELECT has_table_privilege('public.database_mode', 'INSERT') AS may`);
  if (right?.may === true) {
    await query('INSERT INTO public.database_mode (mode) VALUES ($1) ON CONFLICT (only_row) DO NOTHING', [
      (await readMode(query)) ?? mode,
    ]);
  }
  await assertMode(query, mode);
  if (mode === 'test' && (await readMode(query)) === undefined) {
    throw new OtherModeError(
      'This database is not recorded as that of a test system, and only its owner can do that. Run: offertory database ' +
        'migrate, with OFFERTORY_MODE=test and MIGRATION_DATABASE_URL.',
    );
  }
}

async function exists(query: Query, table: string): Promise<boolean> {
  const [row] = await query<{ found: boolean }>(`SELECT to_regclass('public.${table}') IS NOT NULL AS found`);
  return row?.found === true;
}
