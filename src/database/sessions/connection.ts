import pg, { type Client, type ClientBase, type PoolConfig } from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { SnakeNaming } from './snake-naming.js';
import { SessionCheck, type SessionSettings } from './session-check.js';
import { STATEMENT_LIMIT_MS } from '../transactions/database-time.js';
import { ensureBooksEpoch } from '../epochs/ensure-books-epoch.js';
import { SessionClient } from './session-client.js';

/** Injection token of the {@link Connection}. */
export const CONNECTION = Symbol('Connection');

/** How to reach PostgreSQL: by URL, or at the embedded server's socket or port. */
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
 * Required settings, whatever the defaults of the database or the user are. Matching again after a lock relies on READ
 * COMMITTED, and the tables are in `public`.
 */
const SETTINGS: SessionSettings = {
  default_transaction_isolation: 'read committed',
  search_path: 'public',
  // A warning shows that the result of a commit is unknown (SessionClient).
  client_min_messages: 'warning',
};

/**
 * For requests, which find all their rows by indexes. A session keeps its plans, including those of foreign keys. A
 * plan made while a table was small would scan the whole table until the next ANALYZE, for example during the first
 * minute of a large import. Queries without a suitable index still scan the table; with enable_seqscan off their
 * estimated cost is so high that jit would compile them, so jit is off as well.
 */
const INDEX_ONLY_PLANS: SessionSettings = { enable_seqscan: 'off', jit: 'off' };

/** Time limits in milliseconds. Exceeding one ends in a 503 (docs/architecture.md, "Transactions and locks"). */
const CLIENT_LIMITS = {
  /** For a connection of the pool. */
  connectionTimeoutMillis: 3_000,
  /** For an answer, in case the server accepts a statement and then does not respond. */
  query_timeout: 6_000,
} satisfies PoolConfig;

/** Time limits in the server, in milliseconds. */
const SERVER_LIMITS: SessionSettings = {
  lock_timeout: '4000',
  statement_timeout: String(STATEMENT_LIMIT_MS),
  idle_in_transaction_session_timeout: '10000',
};

/** pg's settings for the server. {@link openSession} or a pool's onConnect must prepare the session. */
function pgConfig(connection: Connection, applicationName: string): PgSettings {
  // The embedded server has no TLS, so PGSSLMODE must not apply to it.
  const server = 'url' in connection ? { connectionString: connection.url } : { ...connection, ssl: false as const };
  return { ...server, application_name: applicationName };
}

/** Settings for a pg pool that checks the session of each new connection before it is used ({@link SessionCheck}). */
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
    // pg's pool waits for this. If it throws, the pool closes the connection and passes the error to the caller.
    onConnect: (client) => check.prepare(client),
  };
}

/** {@link poolConfig} for the service. Before a connection can take ids, it ensures the epoch of the books. */
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

/** {@link servicePoolConfig} for work that a caller waits for, with its time limits. */
export function requestPoolConfig(connection: Connection, applicationName: string, max: number): PoolConfig {
  return {
    ...servicePoolConfig(connection, applicationName, { ...SERVER_LIMITS, ...INDEX_ONLY_PLANS }),
    ...CLIENT_LIMITS,
    max,
    keepAlive: true,
  };
}

interface SessionOptions {
  readonly connectionTimeoutMillis?: number;
  /** How long to wait for an answer, in milliseconds. */
  readonly query_timeout?: number;
  /** True if nothing is written, so that a standby is sufficient. */
  readonly readsOnly?: boolean;
}

/** Opens one connection with a checked session and without time limits. If it is lost, its next statement fails. */
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
    // TypeORM requires a server here, but pg's pool gets its settings from "extra".
    ...('url' in connection ? connection : { database: connection.database }),
    extra: requestPoolConfig(connection, 'offertory', poolSize),
    // TypeORM would log a failed query with its parameters, which are personal data.
    logging: false,
    // PostgreSQL has gen_random_uuid() without an extension.
    uuidExtension: 'pgcrypto',
    installExtensions: false,
    namingStrategy: new SnakeNaming(),
    synchronize: false,
    migrationsRun: false,
    // The pool removes a lost connection by itself, and a request that needs a connection gets the error.
    poolErrorHandler: () => undefined,
  };
}
