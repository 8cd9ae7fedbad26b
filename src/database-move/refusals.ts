import type { Client } from 'pg';
import { type Connection, driverError, migrationStatus } from '../database/index.js';
import { ask } from './move-session.js';
import { PGBOSS_JOBS, type MovedTable } from './moved-tables.js';

/** The oldest server that the service runs on. */
const OLDEST_SERVER = 150_000;

/**
 * Rows that a database has before anybody used it: those of the migrations, and of a service that was once started on
 * it. They are replaced.
 */
const ROWS_OF_A_NEW_DATABASE: Readonly<Record<string, number>> = {
  role: Infinity,
  contribution_type: Infinity,
  bundle_type: Infinity,
  fund: 1,
  folding: 1,
  books_epoch: Infinity,
  // That it was migrated.
  audit_entry: Infinity,
  job: Infinity,
  [PGBOSS_JOBS]: Infinity,
};

/** @throws Error unless this program knows all that is in the database, and nothing is missing there. */
export async function refuseUnmigrated(source: Connection): Promise<void> {
  const { applied, pending } = await migrationStatus(source);
  if (applied.length === 0) throw new Error('There is nothing to move: this database was never used.');
  if (pending.length > 0) {
    throw new Error(`The database lacks ${pending.length} migrations. Run first: offertory database migrate`);
  }
}

/** @throws Error when the new database's server cannot keep the books. */
export async function refuseUnfitServer(target: Client): Promise<void> {
  const [server] = await ask<{ version: number; encoding: string; name: string }>(
    target,
    `SELECT current_setting('server_version_num')::integer AS version, current_setting('server_version') AS name,
       current_setting('server_encoding') AS encoding`,
  );
  if (server === undefined) return;
  if (server.version < OLDEST_SERVER) {
    throw new Error(`The new database is on PostgreSQL ${server.name}; 15 or later is needed.`);
  }
  if (server.encoding !== 'UTF8') {
    throw new Error(`The new database is encoded in ${server.encoding}. Make one with the encoding UTF8.`);
  }
}

/** @throws Error when somebody's books, or anything else, are in there. */
export async function refuseUsed(target: Client, tables: readonly MovedTable[]): Promise<void> {
  for (const { name } of tables) {
    const limit = ROWS_OF_A_NEW_DATABASE[name] ?? 0;
    if (limit === Infinity) continue;
    const rows = await ask(target, `SELECT FROM ${name} LIMIT $1`, [limit + 1]);
    if (rows.length > limit) {
      throw new Error(`The new database is in use: there are rows in its table ${name}. Move to one that is empty.`);
    }
  }
}

/**
 * Sessions of services, and of commands: on the embedded database each process keeps one, this process too, for as long
 * as it uses it; elsewhere the queue's are there all the time.
 */
const OTHERS = `
  SELECT count(*) FILTER (WHERE datname = current_database() AND application_name IN ('offertory', 'offertory jobs'))
    + greatest(0, count(*) FILTER (WHERE application_name = 'offertory lease') - 1) AS others
  FROM pg_stat_activity`;

/** @throws Error while somebody could write into a database: what it wrote would be in one of the two only. */
export async function refuseInUse(client: Client, which: 'this' | 'the new'): Promise<void> {
  const [answer] = await ask<{ others: string }>(client, OTHERS);
  if (answer?.others === '0') return;
  throw new Error(inUse(which));
}

/** What to do when a database is in use. */
export function inUse(which: 'this' | 'the new'): string {
  const name = which === 'this' ? 'The database that is to be moved' : 'The new database';
  return `${name} is in use. Stop the service that runs on it, let commands end, and try again; nothing was changed.`;
}

/** What both databases must agree in before rows can go from one to the other. */
const VERSIONS = `
  SELECT 'migration ' || name AS version FROM migrations
  UNION ALL SELECT 'queue ' || name FROM pgboss.queue
  UNION ALL SELECT 'pg-boss ' || version FROM pgboss.version`;

/** @throws Error that names what one of them has and the other lacks. */
export async function refuseUnequalSchemas(
  [source, target]: readonly [Client, Client],
  [from, into]: readonly [readonly MovedTable[], readonly MovedTable[]],
): Promise<void> {
  const facts = async (client: Client, tables: readonly MovedTable[]): Promise<string[]> => [
    ...(await ask<{ version: string }>(client, VERSIONS)).map(({ version }) => version),
    ...tables.map(({ name, columns }) => `table ${name} (${columns})`),
  ];
  const [here, there] = [await facts(source, from), await facts(target, into)];
  const unequal = [...here.filter((fact) => !there.includes(fact)), ...there.filter((fact) => !here.includes(fact))];
  if (unequal.length === 0) return;
  throw new Error(
    `The two databases are not of the same version of this program, or hold tables of another one: ${unequal.join('; ')}. ` +
      'Use the newest version of the program that this database was run with.',
  );
}

/** A right is missing on one of the two sides; which one is known by the name of what may not be done. */
export function mayNotMove(cause: unknown): Error {
  return new Error(
    `${driverError(cause)?.message ?? 'permission denied'}. Books are moved by the owner of the tables on both sides: set ` +
      'MIGRATION_DATABASE_URL to connect to this database as its owner, and name the owner of the new one in its URL.',
    { cause },
  );
}
