import { setTimeout as delay } from 'node:timers/promises';
import { Client, type ClientConfig } from 'pg';
import { isDatabaseUnavailable } from '../../database/index.js';
import type { OwnerChange } from '../cluster/cluster.js';
import { identityIn } from '../cluster/postmaster-file.js';

/** An advisory lock in the database postgres: shared while using the server, exclusive for stopping it. */
const USING = 7_134_001;
/** Held while the database is created. */
const CREATING = 7_134_002;

/** How long to wait for the backends of a closed pool, which end a moment after their connections. */
const LAST_BACKENDS_MS = 2_000;

/**
 * Takes a lease: the server keeps running until all leases end. Undefined when another process is stopping the server,
 * or when the server did not write this postmaster.pid: in another mount namespace the same path may be another volume.
 */
export async function takeLease(address: ClientConfig, identity: string): Promise<Client | undefined> {
  const client = new Client({
    ...address,
    database: 'postgres',
    application_name: 'offertory lease',
    ssl: false,
    connectionTimeoutMillis: 5_000,
  });
  // Without a listener the end of the server would end this process. SharedServer listens for 'end'.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ text: string }>("SELECT pg_read_file('postmaster.pid') AS text");
    const isSameServer = identityIn(rows[0]?.text ?? '') === identity;
    if (isSameServer && (await queryAnswer(client, `SELECT pg_try_advisory_lock_shared(${USING}) AS answer`)))
      return client;
  } catch (error) {
    await client.end();
    throw error;
  }
  await client.end();
  return undefined;
}

/** The role of the service: neither a superuser nor the owner of the tables. The migrations grant its rights. */
export const SERVICE_ROLE = 'offertory_service';

/**
 * Creates the database and the service's role unless they exist, also if several processes try at the same time. A data
 * directory of a version without that role gets it here.
 * @param servicePassword set for the service's role, if the server requires passwords; only base64url characters
 */
export async function ensureDatabase(lease: Client, name: string, servicePassword: string | undefined): Promise<void> {
  await lease.query(`SELECT pg_advisory_lock(${CREATING})`);
  try {
    if (!(await queryAnswer(lease, `SELECT EXISTS (SELECT FROM pg_database WHERE datname = '${name}') AS answer`)))
      await lease.query(`CREATE DATABASE ${name}`);
    const existing = `SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = '${SERVICE_ROLE}') AS answer`;
    if (!(await queryAnswer(lease, existing))) await createServiceRole(lease, name);
    if (servicePassword !== undefined) await lease.query(`ALTER ROLE ${SERVICE_ROLE} PASSWORD '${servicePassword}'`);
  } finally {
    await lease.query(`SELECT pg_advisory_unlock(${CREATING})`);
  }
}

/** In one transaction, because the existing role shows that all is done. */
async function createServiceRole(lease: Client, database: string): Promise<void> {
  await lease.query(`
    BEGIN;
    CREATE ROLE ${SERVICE_ROLE} LOGIN;
    REVOKE CREATE, TEMPORARY ON DATABASE ${database} FROM PUBLIC;
    REVOKE ALL ON DATABASE postgres, template1 FROM PUBLIC;
    GRANT CONNECT ON DATABASE ${database} TO ${SERVICE_ROLE};
    COMMIT;`);
}

/**
 * Tells the books that their files only got another owner. Otherwise the new time of the change would look like a restore,
 * and ids would continue with a gap (ADR 25). Files that were restored before have another time than the books know.
 */
export async function acceptOwnerChange(owner: ClientConfig, { changedAt, now }: OwnerChange): Promise<void> {
  const client = new Client({ ...owner, application_name: 'offertory start', ssl: false });
  await client.connect();
  try {
    const hasBooks = await queryAnswer(client, "SELECT to_regclass('public.books_epoch') IS NOT NULL AS answer");
    if (!hasBooks) return;
    await client.query(
      `UPDATE public.books_epoch SET identity = jsonb_set(identity, '{files}', to_jsonb($2::text))
       WHERE number = (SELECT max(number) FROM public.books_epoch) AND identity ->> 'files' = $1`,
      [String(changedAt), String(now)],
    );
  } finally {
    await client.end();
  }
}

/**
 * Returns the lease. True when no other process uses the server, or can until the client ends. Then it may be stopped.
 */
export async function returnLease(lease: Client): Promise<boolean> {
  // Unlock first: two processes that kept their shared locks would prevent each other from getting the exclusive one.
  await lease.query(`SELECT pg_advisory_unlock_shared(${USING})`);
  if (!(await queryAnswer(lease, `SELECT pg_try_advisory_lock(${USING}) AS answer`))) return false;
  const deadline = Date.now() + LAST_BACKENDS_MS;
  for (;;) {
    const alone = await queryAnswer(
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
 * Makes the server end all connections and shut down cleanly. The server itself sends the signal, because its process
 * id is only valid in its own PID namespace, and may belong to another program in ours.
 */
export async function requestStop(lease: Client): Promise<void> {
  try {
    await lease.query(`COPY (SELECT WHERE false) TO PROGRAM '${STOP}'`);
  } catch (error) {
    // The server may end this connection before it answers.
    if (!isDatabaseUnavailable(error)) throw error;
  }
}

/** The server ends programs of its connections; without the trap it would log that as a fault of this program. */
const STOP = `trap "" TERM; read -r id < postmaster.pid && kill -INT "$id"`;

async function queryAnswer(client: Client, question: string): Promise<boolean> {
  const { rows } = await client.query<{ answer: boolean }>(question);
  return rows[0]?.answer === true;
}
