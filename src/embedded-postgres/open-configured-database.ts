import { setTimeout as sleep } from 'node:timers/promises';
import type { DatabaseSettings } from '../config/index.js';
import {
  type Connection,
  isDatabaseUnavailable,
  type DatabaseHandle,
  openSession,
  SessionNotKeptError,
} from '../database/index.js';
import { openEmbeddedDatabase } from './embedded-database.js';
import { refuseMoved } from './moved-marker.js';

/** How long a start waits for a database that is not ready yet, because compose starts both at the same time. */
const WAIT_LIMIT_MS = 60_000;
const RETRY_MS = 1_000;

/**
 * Connects to the configured database, or starts the embedded one. Waits up to a minute for a database that does not
 * answer yet.
 * @param warn gets a line about a wait for the embedded database; `log` gets all other lines.
 * @throws Error when the database cannot be used, or the books of the embedded one were moved.
 */
export async function openConfiguredDatabase(
  settings: DatabaseSettings,
  log: (message: string) => void,
  warn = log,
): Promise<DatabaseHandle> {
  if (settings.url === undefined) return openEmbedded(settings.dataDir, log, warn);
  const connection: Connection = { url: settings.url };
  await waitForDatabase(connection, 'DATABASE_URL', log);
  if (settings.migrationUrl === undefined) return opened(connection, connection);
  const ownerConnection: Connection = { url: settings.migrationUrl };
  await waitForDatabase(ownerConnection, 'MIGRATION_DATABASE_URL', log);
  return opened(connection, ownerConnection);
}

async function openEmbedded(
  dataDir: string,
  log: (message: string) => void,
  warn: (message: string) => void,
): Promise<DatabaseHandle> {
  refuseMoved(dataDir);
  const server = await openEmbeddedDatabase({ dataDir, log, warn });
  try {
    // Checked again: a move first writes its marker and then looks for other processes, but could not see this one.
    refuseMoved(dataDir);
  } catch (error) {
    await server.close();
    throw error;
  }
  const { connection, ownerConnection } = server;
  return { connection, ownerConnection, embedded: true, close: () => server.close() };
}

function opened(connection: Connection, ownerConnection: Connection): DatabaseHandle {
  return { connection, ownerConnection, embedded: false, close: () => Promise.resolve() };
}

async function waitForDatabase(
  connection: Connection,
  variable: string,
  log: (message: string) => void,
): Promise<void> {
  const deadline = performance.now() + WAIT_LIMIT_MS;
  for (let logged = false; ; logged = true) {
    try {
      await connectOnce(connection);
      return;
    } catch (error) {
      // Waiting does not help if an operator has to change something.
      if (error instanceof SessionNotKeptError)
        throw new Error(`The database of ${variable} cannot be used: ${reason(error)}`, { cause: error });
      if (!isDatabaseUnavailable(error) || performance.now() > deadline) throw cannotBeUsed(variable, error);
      if (!logged)
        log(
          `The database of ${variable} cannot be used yet (${reason(error)}); waiting up to ${WAIT_LIMIT_MS / 1000} s.`,
        );
      await sleep(RETRY_MS);
    }
  }
}

function cannotBeUsed(variable: string, cause: unknown): Error {
  return new Error(
    `The database of ${variable} cannot be used: ${reason(cause)}. Check its host, port, user, password and database; ` +
      'characters such as @ / : # in a password are written %40 %2F %3A %23.',
    { cause },
  );
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function connectOnce(connection: Connection): Promise<void> {
  const limits = { connectionTimeoutMillis: 5_000, query_timeout: 5_000 };
  const client = await openSession(connection, 'offertory start', limits);
  await client.end();
}
