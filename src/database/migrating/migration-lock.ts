import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { type Connection, openSession } from '../sessions/connection.js';

/** The key of the advisory lock that lets one process migrate at a time; an arbitrary constant. */
const MIGRATION_LOCK = 7_236_512;

const RETRY_MS = 1_000;
const LOG_EVERY_MS = 30_000;
/** How long to wait for another process, in milliseconds. */
const WAIT_LIMIT_MS = 10 * 60_000;

/** pg_locks has a 64-bit key in two halves. */
const SELECT_HOLDERS = `
  SELECT pid, application_name AS program, host(client_addr) AS address, xact_start AS since
  FROM pg_locks LEFT JOIN pg_stat_activity USING (pid)
  WHERE locktype = 'advisory' AND granted AND pg_locks.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND classid = 0 AND objid = ${MIGRATION_LOCK} AND objsubid = 1`;

interface Holder {
  readonly pid: number;
  readonly program: string | null;
  readonly address: string | null;
  readonly since: Date | null;
}

/** The right to migrate, which only one process has at a time. */
export interface MigrationLock {
  release(): Promise<void>;
}

/**
 * Waits until no other process migrates, and logs which process it waits for. The lock belongs to a transaction that
 * stays open, so it ends with the connection even if a pooler keeps the session for its next client.
 * @param limit how long to wait, in milliseconds
 * @throws Error which names the holder, when it takes longer.
 */
export async function lockMigrations(
  owner: Connection,
  log: (message: string) => void,
  limit = WAIT_LIMIT_MS,
): Promise<MigrationLock> {
  const session = await openSession(owner, 'offertory migrate');
  try {
    // Without this, limits of the server would end a transaction that only waits.
    await session.query(`
      SELECT set_config(name, '0', false) FROM pg_settings
      WHERE name IN ('idle_in_transaction_session_timeout', 'transaction_timeout')`);
    await session.query('BEGIN ISOLATION LEVEL READ COMMITTED');
    await waitForLock(session, log, limit);
  } catch (error) {
    await session.end();
    throw error;
  }
  return {
    release: async () => {
      // A lost connection has already released the lock.
      await session.query('ROLLBACK').catch(() => undefined);
      await session.end();
    },
  };
}

async function waitForLock(session: Client, log: (message: string) => void, limit: number): Promise<void> {
  const startedAt = performance.now();
  let loggedAt = -Infinity;
  while (!(await isLocked(session))) {
    const now = performance.now();
    if (now - startedAt > limit) {
      throw new Error(
        `Another process has been migrating the database for ${Math.round(limit / 1_000)} s: ${await describeHolder(session)}. ` +
          'Nothing was changed here. Check whether it is still working. If not, end its session by pg_terminate_backend.',
      );
    }
    if (now - loggedAt > LOG_EVERY_MS) {
      loggedAt = now;
      log(`Waiting for another process that migrates the database: ${await describeHolder(session)}.`);
    }
    await sleep(Math.min(RETRY_MS, limit));
  }
}

async function isLocked(session: Client): Promise<boolean> {
  // As a constant: after a statement with parameters, the open transaction would keep its snapshot, and an index that is built
  // concurrently would wait for it without end.
  const { rows } = await session.query<{ locked: boolean }>(
    `SELECT pg_try_advisory_xact_lock(${MIGRATION_LOCK}) AS locked`,
  );
  return rows[0]?.locked === true;
}

async function describeHolder(session: Client): Promise<string> {
  const { rows } = await session.query<Holder>(SELECT_HOLDERS);
  const [holder] = rows;
  if (holder === undefined) return 'it has just ended';
  const { pid, program, address, since } = holder;
  const details = [
    `process ${pid} of the database server`,
    ...(program ? [`application "${program}"`] : []),
    ...(address ? [`from ${address}`] : []),
    ...(since ? [`since ${since.toISOString()}`] : []),
  ];
  return details.join(', ');
}
