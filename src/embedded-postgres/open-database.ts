import { setTimeout as sleep } from 'node:timers/promises';
import type { DatabaseSettings } from '../config/index.js';
import {
  type Connection,
  isDatabaseUnavailable,
  type OpenDatabase,
  openSession,
  SessionNotKeptError,
} from '../database/index.js';
import { openEmbeddedDatabase } from './embedded-database.js';
import { refuseMoved } from './moved-marker.js';

/** How long a start waits for a database that is not there yet: compose starts both together. */
const PATIENCE_MS = 60_000;
const PAUSE_MS = 1_000;

/**
 * Reaches the database that the settings name, or starts the embedded one. Waits up to a minute for a database that
 * does not answer yet, and says so. `warn` is told of a wait for the embedded one, `log` of everything else. @throws Error when the embedded one's books were moved elsewhere.
 */
export async function openDatabase(
  settings: DatabaseSettings,
  log: (message: string) => void,
  warn = log,
): Promise<OpenDatabase> {
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
): Promise<OpenDatabase> {
  refuseMoved(dataDir);
  const server = await openEmbeddedDatabase({ dataDir, log, warn });
  try {
    // Again: whoever moves the books looks for others after it has said so, and could not see us before we were in.
    refuseMoved(dataDir);
  } catch (error) {
    await server.close();
    throw error;
  }
  const { connection } = server;
  return { connection, ownerConnection: connection, embedded: true, close: () => server.close() };
}

function opened(connection: Connection, ownerConnection: Connection): OpenDatabase {
  return { connection, ownerConnection, embedded: false, close: () => Promise.resolve() };
}

async function waitForDatabase(
  connection: Connection,
  variable: string,
  log: (message: string) => void,
): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (let told = false; ; told = true) {
    try {
      await connectOnce(connection);
      return;
    } catch (error) {
      // What an operator has to change does not get better by waiting.
      if (error instanceof SessionNotKeptError)
        throw new Error(`The database of ${variable} cannot be used: ${reason(error)}`, { cause: error });
      if (!isDatabaseUnavailable(error) || performance.now() > deadline) throw cannotBeUsed(variable, error);
      if (!told)
        log(
          `The database of ${variable} cannot be used yet (${reason(error)}); waiting up to ${PATIENCE_MS / 1000} s.`,
        );
      await sleep(PAUSE_MS);
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
