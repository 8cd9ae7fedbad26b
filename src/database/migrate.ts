import { Client } from 'pg';
import PgBoss from 'pg-boss';
import { DataSource } from 'typeorm';
import { migrations } from '../../migrations/index.js';
import { enterInTrail } from './audit-entry.js';
import { Connection, pgConfig } from './connection.js';
import { describeOwn, grantRights, type Rights } from './grant-rights.js';
import { runMigrations } from './run-migrations.js';
import { driverError, INSUFFICIENT_PRIVILEGE, sqlState } from './sqlstate.js';

/** Key of the advisory lock that lets one process migrate at a time; any constant of our own will do. */
const MIGRATION_LOCK = 7_236_512;

/** Names of migrations, in their order. */
export interface MigrationStatus {
  readonly applied: readonly string[];
  readonly pending: readonly string[];
  /** Those of a newer version, which this program does not know. */
  readonly newer: readonly string[];
}

/** What a migration has done. */
export interface Migrated {
  /** The names of the migrations that were applied now. */
  readonly applied: readonly string[];
  readonly rights: Rights;
}

/**
 * Brings the database up to date: the queue's own schema, then our migrations, all or none. Safe when several
 * replicas start together: the others wait, and find nothing left to do.
 * @param owner connects as the owner of all tables
 * @param actor who does it, for the audit trail
 * @param service the service's connection, whose role is given the rights it needs where it is another one
 * @throws Error that says so, when this role may not do what is to be done.
 */
export async function migrateDatabase(
  owner: Connection,
  actor = 'service',
  service: Connection = owner,
): Promise<Migrated> {
  const lock = new Client(pgConfig(owner, 'offertory migrate'));
  // A connection lost while it merely holds the lock shows up in the statements below.
  lock.on('error', () => undefined);
  await lock.connect();
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await installQueueSchema(owner);
    const applied = await withMigrations(owner, runMigrations);
    if (applied.length > 0) await enterInTrail(lock, { actor, action: 'database.migrate', details: { applied } });
    const { newer } = await statusOver(lock);
    return { applied, rights: service === owner ? await describeOwn(lock) : await grantRights(lock, service, newer) };
  } catch (error) {
    throw sqlState(error) === INSUFFICIENT_PRIVILEGE ? mayNotMigrate(error) : error;
  } finally {
    await lock.end();
  }
}

function mayNotMigrate(cause: unknown): Error {
  const reason = driverError(cause)?.message ?? '';
  return new Error(
    `The database cannot be migrated by this role: ${reason}. Set MIGRATION_DATABASE_URL to connect as the owner of the tables.`,
    { cause },
  );
}

/** What has been applied to the database and what has not; reads only. */
export async function migrationStatus(connection: Connection): Promise<MigrationStatus> {
  const client = new Client(pgConfig(connection, 'offertory status'));
  await client.connect();
  try {
    return await statusOver(client);
  } finally {
    await client.end();
  }
}

function statusOver(client: Client): Promise<MigrationStatus> {
  return readMigrationStatus(async (sql) => (await client.query<{ name: string }>(sql)).rows);
}

/** {@link migrationStatus} over a connection the caller has. */
export async function readMigrationStatus(
  query: (sql: string) => Promise<readonly { name: string }[]>,
): Promise<MigrationStatus> {
  const table = await query(`SELECT to_regclass('public.migrations')::text AS name`);
  const rows = table[0]?.name ? await query('SELECT name FROM migrations') : [];
  const done = new Set(rows.map(({ name }) => name));
  const names: string[] = migrations.map((Migration) => new Migration().name);
  return {
    applied: names.filter((name) => done.has(name)),
    pending: names.filter((name) => !done.has(name)),
    newer: [...done].filter((name) => !names.includes(name)),
  };
}

/** pg-boss owns its schema and brings it up to date itself; the service then runs without the right to do so. */
async function installQueueSchema(connection: Connection): Promise<void> {
  const boss = new PgBoss({ ...pgConfig(connection, 'offertory migrate'), max: 1, supervise: false, schedule: false });
  boss.on('error', () => undefined);
  await boss.start();
  await boss.stop({ graceful: false });
}

async function withMigrations<T>(connection: Connection, work: (dataSource: DataSource) => Promise<T>): Promise<T> {
  const dataSource = new DataSource({
    type: 'postgres',
    ...('url' in connection ? connection : { database: connection.database }),
    extra: { ...pgConfig(connection, 'offertory migrate'), max: 1 },
    migrations,
    logging: false,
  });
  await dataSource.initialize();
  try {
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}
