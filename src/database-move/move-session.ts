import type { Client } from 'pg';
import { type Connection, isLockTimeout, openSession } from '../database/index.js';

/** A row of what a move asks either database. */
export type Row = Record<string, unknown>;

/** Nobody may wait for ever for a lock that a forgotten session holds. */
const LOCK_LIMIT = '10s';

/**
 * One connection for all that a move does in one database. Texts that are copied or compared mean the same on both
 * sides, whatever the servers' own settings are; and a copy may take its time.
 * @throws Error in plain words when the database cannot be reached.
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

/** The rows of a statement. */
export async function ask<T extends Row>(client: Client, text: string, values: unknown[] = []): Promise<T[]> {
  return (await client.query<T>(text, values)).rows;
}

/** Locks tables in this mode; `otherwise` says what to do when somebody else holds one. */
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

/** Where a URL points to, without the password and all else that it may say. */
export function describeUrl(url: string): string {
  const { protocol, username, hostname, port, pathname, searchParams } = new URL(url);
  const host = hostname === '' ? '' : `${hostname}${port === '' ? '' : `:${port}`}`;
  const socket = searchParams.get('host');
  return `${protocol}//${username === '' ? '' : `${username}@`}${host}${pathname}${socket === null ? '' : `?host=${socket}`}`;
}
