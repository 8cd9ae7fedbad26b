import { setTimeout as delay } from 'node:timers/promises';
import { Client, type ClientConfig } from 'pg';

/** Session-level advisory locks, in the database postgres: shared by all who use the server, alone by who stops it. */
const USING = 7_134_001;
/** Held while the database is looked for and created. */
const CREATING = 7_134_002;

/** A pool's backends end a moment after its connections are closed. */
const LAST_BACKENDS_MS = 2_000;

/** Takes part in the use of the server, until the client ends. Undefined: somebody is just stopping the server. */
export async function takeLease(address: ClientConfig): Promise<Client | undefined> {
  const client = new Client({
    ...address,
    database: 'postgres',
    application_name: 'offertory lease',
    ssl: false,
    connectionTimeoutMillis: 5_000,
  });
  // Unhandled, the server's end would be the process's end; who must act listens for 'end'.
  client.on('error', () => undefined);
  await client.connect();
  try {
    if (await ask(client, `SELECT pg_try_advisory_lock_shared(${USING}) AS answer`)) return client;
  } catch (error) {
    await client.end();
    throw error;
  }
  await client.end();
  return undefined;
}

/** Creates the database unless it exists, however many processes try. */
export async function ensureDatabase(lease: Client, name: string): Promise<void> {
  await lease.query(`SELECT pg_advisory_lock(${CREATING})`);
  try {
    if (await ask(lease, `SELECT EXISTS (SELECT FROM pg_database WHERE datname = '${name}') AS answer`)) return;
    await lease.query(`CREATE DATABASE ${name}`);
  } finally {
    await lease.query(`SELECT pg_advisory_unlock(${CREATING})`);
  }
}

/**
 * Gives the lease back. True when nobody else uses the server: then nobody can begin to until the client ends, so that
 * the caller may stop it.
 */
export async function giveBackLease(lease: Client): Promise<boolean> {
  // Back first: of two who both kept theirs while asking for the whole, neither would get it.
  await lease.query(`SELECT pg_advisory_unlock_shared(${USING})`);
  if (!(await ask(lease, `SELECT pg_try_advisory_lock(${USING}) AS answer`))) return false;
  const deadline = Date.now() + LAST_BACKENDS_MS;
  for (;;) {
    const alone = await ask(
      lease,
      `SELECT NOT EXISTS (
         SELECT FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
       ) AS answer`,
    );
    if (alone || Date.now() > deadline) return alone;
    await delay(25);
  }
}

async function ask(client: Client, question: string): Promise<boolean> {
  const { rows } = await client.query<{ answer: boolean }>(question);
  return rows[0]?.answer === true;
}
