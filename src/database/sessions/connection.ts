import pg, { type Client, type ClientBase, type PoolConfig } from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { SnakeNaming } from './snake-naming.js';
import { SessionCheck, type SessionSettings } from './check-session.js';
import { STATEMENT_LIMIT_MS } from '../transactions/database-time.js';
import { ensureBooksEpoch } from '../epochs/ensure-books-epoch.js';
import { SessionClient } from './session-client.js';

/** Injection token of the {@link Connection}. */
export const CONNECTION = Symbol('Connection');

/** How PostgreSQL is reached: by URL, or at the embedded server's socket. */
export type Connection =
  | { readonly url: string }
  | {
      readonly host: string;
      readonly port: number;
      readonly user: string;
      readonly password?: string;
      readonly database: string;
    };

type PgServer = { connectionString: string } | (Exclude<Connection, { url: string }> & { ssl: false });

type PgSettings = PgServer & { application_name: string };

/**
 * What must hold whatever the database's or the user's own defaults are: matching again after a lock relies on READ
 * COMMITTED, and the tables are in `public`.
 */
const SETTINGS: SessionSettings = {
  default_transaction_isolation: 'read committed',
  search_path: 'public',
  // A commit in doubt is told by a warning (SessionClient).
  client_min_messages: 'warning',
};

/**
 * For requests, which find all their rows by indexes. A session keeps its plans, those of foreign keys among them; one
 * that was made while a table was small would read it from end to end for as long as nobody has counted its rows anew,
 * all through the first minute of a large import. What no index finds is read all the same; what that is taken to cost
 * (jit) must not have the plan compiled.
 */
const BY_INDEX: SessionSettings = { enable_seqscan: 'off', jit: 'off' };

/** Time limits in milliseconds; each of them ends in a 503 (docs/architecture.md, "Transactions and locks"). */
const CLIENT_LIMITS = {
  /** Waiting for a connection of the pool. */
  connectionTimeoutMillis: 3_000,
  /** The client's own limit for an answer: for a server that accepts and then says nothing. */
  query_timeout: 6_000,
} satisfies PoolConfig;

/** The server's own, in milliseconds. */
const SERVER_LIMITS: SessionSettings = {
  lock_timeout: '4000',
  statement_timeout: String(STATEMENT_LIMIT_MS),
  idle_in_transaction_session_timeout: '10000',
};

/** How pg reaches the server; a session that is opened so has to be prepared by {@link openSession} or a pool's onConnect. */
function pgConfig(connection: Connection, applicationName: string): PgSettings {
  // The embedded server is reached without TLS, whatever PGSSLMODE says of other servers.
  const server = 'url' in connection ? { connectionString: connection.url } : { ...connection, ssl: false as const };
  return { ...server, application_name: applicationName };
}

/** Settings for a pg pool that uses a new connection only once its session is as it must be ({@link SessionCheck}). */
export function poolConfig(
  connection: Connection,
  applicationName: string,
  settings: SessionSettings = {},
): PgSettings & { Client: typeof Client; onConnect: (client: ClientBase) => Promise<void> } {
  const config = pgConfig(connection, applicationName);
  const check = new SessionCheck({ settings: { ...SETTINGS, ...settings }, writes: true }, config);
  return {
    ...config,
    Client: SessionClient,
    // pg's pool waits for it; what it throws is the error of whoever wanted the connection, which is closed.
    onConnect: (client) => check.prepare(client),
  };
}

/** {@link poolConfig} for the service, whose connections give out ids: none before the epoch of the books is right. */
export function servicePoolConfig(...args: Parameters<typeof poolConfig>): ReturnType<typeof poolConfig> {
  const config = poolConfig(...args);
  return {
    ...config,
    onConnect: async (client) => {
      await config.onConnect(client);
      await ensureBooksEpoch(client);
    },
  };
}

/** Options of {@link openSession}. */
interface SessionOptions {
  readonly connectionTimeoutMillis?: number;
  /** How long an answer is waited for, in milliseconds. */
  readonly query_timeout?: number;
  /** True where nothing is written, so that a standby will do. */
  readonly readsOnly?: boolean;
}

/** Opens one connection, with a session as it must be and without time limits. A lost one shows in its next statement. */
export async function openSession(
  connection: Connection,
  applicationName: string,
  { readsOnly = false, ...config }: SessionOptions = {},
): Promise<Client> {
  const settings = { ...pgConfig(connection, applicationName), ...config };
  const client = new SessionClient(settings);
  try {
    await client.connect();
    await new SessionCheck({ settings: SETTINGS, writes: !readsOnly }, settings).prepare(client);
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
  return client;
}

/** TypeORM's options for the service. The schema comes from migrations only. */
export function dataSourceOptions(connection: Connection, poolSize: number): DataSourceOptions {
  return {
    type: 'postgres',
    driver: pg,
    // TypeORM only wants to see a server here; "extra" is what pg's pool gets.
    ...('url' in connection ? connection : { database: connection.database }),
    extra: {
      ...servicePoolConfig(connection, 'offertory', { ...SERVER_LIMITS, ...BY_INDEX }),
      ...CLIENT_LIMITS,
      max: poolSize,
      keepAlive: true,
    },
    // A failing query would be logged with its parameters: personal data.
    logging: false,
    // PostgreSQL has gen_random_uuid() without an extension.
    uuidExtension: 'pgcrypto',
    installExtensions: false,
    namingStrategy: new SnakeNaming(),
    synchronize: false,
    migrationsRun: false,
    // The pool drops a lost connection by itself; the request that needs one gets the error.
    poolErrorHandler: () => undefined,
  };
}
