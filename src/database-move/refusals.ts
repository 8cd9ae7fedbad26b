import type { Client } from 'pg';
import { type Connection, driverError, migrationStatus } from '../database/index.js';
import { queryRows } from './move-session.js';
import { PGBOSS_JOBS, type MovedTable } from './moved-tables.js';

/** PostgreSQL 15, in the format of `server_version_num`. */
const OLDEST_SERVER = 150_000;

/** How many rows may be in an unused database, from migrations or a started service. The move replaces them. */
const ROWS_IN_AN_UNUSED_DATABASE: Readonly<Record<string, number>> = {
  role: Infinity,
  contribution_type: Infinity,
  bundle_type: Infinity,
  fund: 1,
  folding: 1,
  reading_progress: Infinity,
  books_epoch: Infinity,
  // The moved books have their own.
  database_mode: Infinity,
  // Records the migration.
  audit_entry: Infinity,
  audit_seal: Infinity,
  job: Infinity,
  [PGBOSS_JOBS]: Infinity,
};

/** @throws Error when the source was never used or has pending migrations. */
export async function refuseUnmigrated(source: Connection): Promise<void> {
  const { applied, pending } = await migrationStatus(source);
  if (applied.length === 0) throw new Error('There is nothing to move: this database was never used.');
  if (pending.length > 0) {
    throw new Error(`The database lacks ${pending.length} migrations. Run first: offertory database migrate`);
  }
}

/** @throws Error when the new database's server is too old or its encoding is not UTF8. */
export async function refuseUnsuitableServer(target: Client): Promise<void> {
  const [server] = await queryRows<{ version: number; encoding: string; name: string }>(
    target,
    `SELECT current_setting('server_version_num')::integer AS version, current_setting('server_version') AS name,
       current_setting('server_encoding') AS encoding`,
  );
  if (server === undefined) return;
  if (server.version < OLDEST_SERVER) {
    throw new Error(`The new database is on PostgreSQL ${server.name}; 15 or later is needed.`);
  }
  if (server.encoding !== 'UTF8') {
    throw new Error(`The new database has the encoding ${server.encoding}. Create one with the encoding UTF8.`);
  }
}

/** @throws Error when the new database contains books or anything else. */
export async function refuseUsed(target: Client, tables: readonly MovedTable[]): Promise<void> {
  for (const { name } of tables) {
    const limit = ROWS_IN_AN_UNUSED_DATABASE[name] ?? 0;
    if (limit === Infinity) continue;
    const rows = await queryRows(target, `SELECT FROM ${name} LIMIT $1`, [limit + 1]);
    if (rows.length > limit) {
      throw new Error(`The new database is in use: there are rows in its table ${name}. Move to an empty one.`);
    }
  }
}

/**
 * Counts the sessions of services and commands. On the embedded database each process has a lease, including this one.
 * On other databases the sessions of requests and of the queue show a running service.
 */
const OTHERS = `
  SELECT count(*) FILTER (WHERE datname = current_database() AND application_name IN ('offertory', 'offertory jobs'))
    + greatest(0, count(*) FILTER (WHERE application_name = 'offertory lease') - 1) AS others
  FROM pg_stat_activity`;

/** @throws Error while another process uses a database. Its writes would be in only one of the two. */
export async function refuseInUse(client: Client, which: 'this' | 'the new'): Promise<void> {
  const [answer] = await queryRows<{ others: string }>(client, OTHERS);
  if (answer?.others === '0') return;
  throw new Error(inUseMessage(which));
}

/** The message when a database is in use. */
export function inUseMessage(which: 'this' | 'the new'): string {
  const name = which === 'this' ? 'The database that is to be moved' : 'The new database';
  return `${name} is in use. Stop the service that runs on it, let commands end, and try again. Nothing was changed.`;
}

/** The versions that must be equal in both databases before rows can be copied. */
const VERSIONS = `
  SELECT 'migration ' || name AS version FROM migrations
  UNION ALL SELECT 'queue ' || name FROM pgboss.queue
  UNION ALL SELECT 'pg-boss ' || version FROM pgboss.version`;

/** @throws Error which names what only one of the databases has. */
export async function refuseUnequalSchemas(
  [source, target]: readonly [Client, Client],
  [from, into]: readonly [readonly MovedTable[], readonly MovedTable[]],
): Promise<void> {
  const facts = async (client: Client, tables: readonly MovedTable[]): Promise<string[]> => [
    ...(await queryRows<{ version: string }>(client, VERSIONS)).map(({ version }) => version),
    ...tables.map(({ name, columns }) => `table ${name} (${columns})`),
  ];
  const [here, there] = [await facts(source, from), await facts(target, into)];
  const unequal = [...here.filter((fact) => !there.includes(fact)), ...there.filter((fact) => !here.includes(fact))];
  if (unequal.length === 0) return;
  throw new Error(
    `The two databases belong to different versions of this program, or contain other tables: ${unequal.join('; ')}. ` +
      'Use the newest version of the program that has used this database.',
  );
}

/** The error for a missing right in one of the databases. The server's message shows in which one. */
export function mayNotMove(cause: unknown): Error {
  return new Error(
    `${driverError(cause)?.message ?? 'permission denied'}. A move needs the owner of the tables in both databases: set ` +
      'MIGRATION_DATABASE_URL to connect to this database as its owner, and name the owner of the new one in its URL.',
    { cause },
  );
}
