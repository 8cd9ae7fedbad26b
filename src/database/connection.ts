import { Client, type ClientConfig, type PoolConfig } from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { STATEMENT_LIMIT_MS } from './database-time.js';

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

type PgSettings = PgServer & { application_name: string; options: string };

/**
 * What must hold whatever the database's or the user's own defaults are: matching again after a lock relies on READ
 * COMMITTED, and the tables are in `public`.
 */
const SESSION_SETTINGS = '-c default_transaction_isolation=read\\ committed -c search_path=public';

/**
 * For requests, which find all their rows by indexes. A session keeps its plans, those of foreign keys among them; one
 * that was made while a table was small would read it from end to end for as long as nobody has counted its rows anew,
 * all through the first minute of a large import. What no index finds is read all the same; what that is taken to cost
 * (jit) must not have the plan compiled.
 */
const BY_INDEX = '-c enable_seqscan=off -c jit=off';

/** Time limits in milliseconds; each of them ends in a 503 (docs/architecture.md, "Transactions and locks"). */
const LIMITS = {
  /** Waiting for a connection of the pool. */
  connectionTimeoutMillis: 3_000,
  lock_timeout: 4_000,
  statement_timeout: STATEMENT_LIMIT_MS,
  /** The client's own limit for an answer: for a server that accepts and then says nothing. */
  query_timeout: 6_000,
  idle_in_transaction_session_timeout: 10_000,
} satisfies PoolConfig;

/**
 * A session can end between the moment in which the pool hands it out and that in which TypeORM listens to it; without
 * any listener its error would be the end of the process. Whoever uses the session next is told all the same.
 */
class PooledClient extends Client {
  constructor(config: ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}

/** Settings for a pg pool or client, with the application's name and no time limits. */
export function pgConfig(connection: Connection, applicationName: string): PgSettings {
  // The embedded server is reached without TLS, whatever PGSSLMODE says of other servers.
  const server = 'url' in connection ? { connectionString: connection.url } : { ...connection, ssl: false as const };
  return { ...server, application_name: applicationName, options: SESSION_SETTINGS };
}

/** TypeORM's options for the service: entities come from the modules, the schema only from migrations. */
export function dataSourceOptions(connection: Connection, poolSize: number): DataSourceOptions {
  const { options, ...settings } = pgConfig(connection, 'offertory');
  return {
    type: 'postgres',
    // TypeORM only wants to see a server here; "extra" is what pg's pool gets.
    ...('url' in connection ? connection : { database: connection.database }),
    extra: {
      ...settings,
      ...LIMITS,
      options: `${options} ${BY_INDEX}`,
      max: poolSize,
      keepAlive: true,
      Client: PooledClient,
    },
    // A failing query would be logged with its parameters: personal data.
    logging: false,
    synchronize: false,
    migrationsRun: false,
    // The pool drops a lost connection by itself; the request that needs one gets the error.
    poolErrorHandler: () => undefined,
  };
}
