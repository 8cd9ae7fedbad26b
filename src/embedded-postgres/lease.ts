import { setTimeout as delay } from 'node:timers/promises';
import { Client, type ClientConfig } from 'pg';
import { isDatabaseUnavailable } from '../database/index.js';
import { identityIn } from './postmaster-file.js';

/** Session-level advisory locks, in the database postgres: shared by all who use the server, alone by who stops it. */
const USING = 7_134_001;
/** Held while the database is looked for and created. */
const CREATING = 7_134_002;

/** A pool's backends end a moment after its connections are closed. */
const LAST_BACKENDS_MS = 2_000;

/**
 * Takes part in the use of the server, until the client ends. Undefined when somebody is just stopping the server, or
 * when it is not the one that wrote this postmaster.pid: the same path may be another volume's in our mount namespace.
 */
export async function takeLease(address: ClientConfig, identity: string): Promise<Client | undefined> {
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
    const { rows } = await client.query<{ text: string }>("SELECT pg_read_file('postmaster.pid') AS text");
    const isSameServer = identityIn(rows[0]?.text ?? '') === identity;
    if (isSameServer && (await ask(client, `SELECT pg_try_advisory_lock_shared(${USING}) AS answer`))) return client;
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

/**
 * Has the server end all connections and stop in order. The server itself sends the signal: its process id is valid in
 * its own PID namespace only, and may be an unrelated program's in ours.
 */
export async function requestStop(lease: Client): Promise<void> {
  try {
    await lease.query(`COPY (SELECT WHERE false) TO PROGRAM '${STOP}'`);
  } catch (error) {
    // The server may end this connection before it has answered.
    if (!isDatabaseUnavailable(error)) throw error;
  }
}

/** The server ends what its connections have started, this program too: without the trap that would show as a fault. */
const STOP = `trap "" TERM; read -r id < postmaster.pid && kill -INT "$id"`;

async function ask(client: Client, question: string): Promise<boolean> {
  const { rows } = await client.query<{ answer: boolean }>(question);
  return rows[0]?.answer === true;
}
