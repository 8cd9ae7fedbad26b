import { DataSource, type Logger, type QueryRunner } from 'typeorm';
import { migrations } from '../../../migrations/index.js';
import type { Mode } from '../../config/index.js';
import { assertMode, type Query, recordMode } from '../mode/database-mode.js';
import { recordDatabaseAction } from '../record-database-action.js';
import { type Connection, openSession, poolConfig } from '../sessions/connection.js';
import { grantRights, keepRights, type Rights, roleOf } from './grant-rights.js';
import type { Entity } from './service-rights.js';
import { lockMigrations } from './migration-lock.js';
import { runMigrations } from './run-migrations.js';
import { refuseUnsuitableDatabase } from './refuse-unsuitable-database.js';
import { driverError, INSUFFICIENT_PRIVILEGE, sqlState } from '../errors/sqlstate.js';

/** Errors are thrown. TypeORM would also print them, but not as entries of the service's log. */
const SILENT: Logger = {
  log: () => undefined,
  logMigration: () => undefined,
  logQuery: () => undefined,
  logQueryError: () => undefined,
  logQuerySlow: () => undefined,
  logSchemaBuild: () => undefined,
};

/** The names of migrations, in their order. */
export interface MigrationStatus {
  readonly applied: readonly string[];
  readonly pending: readonly string[];
  /** Applied migrations of a newer version, which this program does not know. */
  readonly newer: readonly string[];
}

/** The result of {@link migrateDatabase}. */
export interface Migrated {
  /** The names of the migrations that were applied now. */
  readonly applied: readonly string[];
  readonly rights: Rights;
}

export interface MigrationOptions {
  /** For the audit trail. */
  readonly actor?: string;
  /**
   * The mode in which the database is to be used, which is recorded in a new one. Undefined: a new database gets no record yet, because its
   * rows are still to be copied.
   */
  readonly mode?: Mode;
  /** The service's connection. If its role is not the owner, it gets its rights on the tables of these entities. */
  readonly service?: { readonly connection: Connection; readonly entities: readonly Entity[] };
  /** Called with a line while the migration waits for another process. */
  readonly log?: (message: string) => void;
}

/**
 * Updates the database: all pending quick migrations or none, and then the gradual ones, each by itself. Several replicas can
 * start at the same time: one migrates, and the others wait for it, for ten minutes at most.
 * @param owner connects as the owner of all tables
 * @throws Error with advice, for a missing right, another process that takes too long, or an unsuitable database.
 * @throws OtherModeError before anything is changed, if the database is used in another mode.
 */
export async function migrateDatabase(
  owner: Connection,
  { actor = 'service', mode, service, log = () => undefined }: MigrationOptions = {},
): Promise<Migrated> {
  const lock = await lockMigrations(owner, log);
  try {
    await assertSuitable(owner, mode);
    const grantee =
      service === undefined || service.connection === owner
        ? undefined
        : { role: await roleOf(service.connection), entities: service.entities };
    const { finished, gradual } = await withMigrations(owner, (dataSource) =>
      runMigrations(dataSource, {
        finish: async (runner, applied) => {
          if (mode !== undefined) await recordMode(queryOf(runner), mode);
          return finish(runner, applied, actor, grantee);
        },
        record: (runner, applied) => recordMigrations(runner, applied, actor),
      }),
    );
    return { ...finished, applied: [...finished.applied, ...gradual] };
  } catch (error) {
    throw sqlState(error) === INSUFFICIENT_PRIVILEGE ? mayNotMigrate(error) : error;
  } finally {
    await lock.release();
  }
}

async function assertSuitable(owner: Connection, mode: Mode | undefined): Promise<void> {
  const session = await openSession(owner, 'offertory migrate');
  try {
    await refuseUnsuitableDatabase(session);
    const query = async <Row>(sql: string): Promise<Row[]> => (await session.query(sql)).rows as Row[];
    if (mode !== undefined) await assertMode(query, mode);
  } finally {
    await session.end();
  }
}

function queryOf(runner: QueryRunner): Query {
  return async <Row>(sql: string, values?: unknown[]) => (await runner.query(sql, values)) as Row[];
}

/** Runs in the transaction of the migrations. @param grantee the service's role, if it is not the owner. */
async function finish(
  runner: QueryRunner,
  applied: readonly string[],
  actor: string,
  grantee: { readonly role: string; readonly entities: readonly Entity[] } | undefined,
): Promise<Migrated> {
  if (applied.length > 0) await recordMigrations(runner, applied, actor);
  if (grantee === undefined) return { applied, rights: await keepRights(runner) };
  const { newer } = await readMigrationStatus(async (sql) => (await runner.query(sql)) as { name: string }[]);
  return { applied, rights: await grantRights(runner, grantee.role, grantee.entities, newer) };
}

function recordMigrations(runner: QueryRunner, applied: readonly string[], actor: string): Promise<void> {
  return recordDatabaseAction(runner, { actor, action: 'database.migrate', details: { applied } });
}

function mayNotMigrate(cause: unknown): Error {
  const reason = driverError(cause)?.message ?? '';
  return new Error(
    `The database cannot be migrated by this role: ${reason}. Set MIGRATION_DATABASE_URL to connect as the owner of the tables.`,
    { cause },
  );
}

/** The applied and pending migrations. Only reads. */
export async function migrationStatus(connection: Connection): Promise<MigrationStatus> {
  const client = await openSession(connection, 'offertory status', { readsOnly: true });
  try {
    return await readMigrationStatus(async (sql) => (await client.query<{ name: string }>(sql)).rows);
  } finally {
    await client.end();
  }
}

/** {@link migrationStatus} over an open connection. */
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

async function withMigrations<T>(connection: Connection, work: (dataSource: DataSource) => Promise<T>): Promise<T> {
  const dataSource = new DataSource({
    type: 'postgres',
    ...('url' in connection ? connection : { database: connection.database }),
    extra: { ...poolConfig(connection, 'offertory migrate'), max: 1 },
    migrations,
    logging: false,
    logger: SILENT,
  });
  await dataSource.initialize();
  try {
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}
