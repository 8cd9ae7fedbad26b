import type { Client } from 'pg';
import { type Connection, isLockTimeout, openSession } from '../database/index.js';

export type Row = Record<string, unknown>;

/** A forgotten session may hold a lock for ever, so the wait has a limit. */
const LOCK_LIMIT = '10s';

/** The sessions of a move. */
export interface MoveSessions {
  /** On the old database, which is not changed. */
  readonly source: Client;
  /** On the new database. */
  readonly target: Client;
}

/**
 * Opens the connection for everything that a move does in one database. It sets the text formats, so that copied and
 * compared texts mean the same on both sides. It has no time limits, because a copy may take long.
 * @throws Error with advice when the database cannot be reached.
 */
export async function openMoveSession(connection: Connection): Promise<Client> {
  let client: Client | undefined;
  try {
    client = await openSession(connection, 'offertory move', { connectionTimeoutMillis: 10_000 });
    await client.query(`
      SELECT set_config(name, '0', false) FROM pg_settings
      WHERE name IN ('statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout');
      SET lock_timeout = '${LOCK_LIMIT}';
      SET datestyle = ISO;
      SET intervalstyle = postgres;
      SET timezone = UTC;
      SET extra_float_digits = 3;
      SET bytea_output = hex`);
    return client;
  } catch (cause) {
    await client?.end().catch(() => undefined);
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${'url' in connection ? describeUrl(connection.url) : 'The database'} cannot be used: ${reason}`, {
      cause,
    });
  }
}

export async function queryRows<T extends Row>(client: Client, text: string, values: unknown[] = []): Promise<T[]> {
  return (await client.query<T>(text, values)).rows;
}

/** Locks tables in this mode. @param otherwise the message of the error when another session holds a lock too long. */
export async function lockTables(
  client: Client,
  tables: readonly string[],
  mode: 'SHARE' | 'ACCESS EXCLUSIVE',
  otherwise: string,
): Promise<void> {
  try {
    await client.query(`LOCK TABLE ${tables.join(', ')} IN ${mode} MODE`);
  } catch (cause) {
    throw isLockTimeout(cause) ? new Error(otherwise, { cause }) : cause;
  }
}

/** Describes a database's URL without its password and parameters. */
export function describeUrl(url: string): string {
  const { protocol, username, hostname, port, pathname, searchParams } = new URL(url);
  const host = hostname === '' ? '' : `${hostname}${port === '' ? '' : `:${port}`}`;
  const socket = searchParams.get('host');
  return `${protocol}//${username === '' ? '' : `${username}@`}${host}${pathname}${socket === null ? '' : `?host=${socket}`}`;
}
