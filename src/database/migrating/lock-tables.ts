import { setTimeout as sleep } from 'node:timers/promises';
import { isLockTimeout } from '../errors/sqlstate.js';

/** How long one attempt waits for each table. Meanwhile other sessions that need the table have to wait as well. */
const LOCK_TIMEOUT_MS = 250;
/** When to give up, because another session keeps a transaction open. */
const LOCK_LIMIT_MS = 120_000;

/**
 * Locks tables against everybody, in the transaction of this client. A running service locks some of them in another order, which
 * would be a deadlock. An attempt that cannot lock all tables releases those it has before the next one. So there is no
 * deadlock, and calls continue while another session keeps a table locked.
 * @param tables separated by commas, quoted
 * @throws Error if another session keeps one of them locked for two minutes.
 */
export async function lockTables(client: { query(sql: string): Promise<unknown> }, tables: string): Promise<void> {
  const until = performance.now() + LOCK_LIMIT_MS;
  while (!(await hasLocked(client, tables))) {
    if (performance.now() > until) {
      throw new Error(
        'Another session has kept tables locked for two minutes: see pg_stat_activity for its transaction',
      );
    }
    await sleep(50 + Math.random() * 200);
  }
}

async function hasLocked(client: { query(sql: string): Promise<unknown> }, tables: string): Promise<boolean> {
  await client.query('SAVEPOINT before_locks');
  try {
    await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await client.query(`LOCK TABLE ${tables} IN ACCESS EXCLUSIVE MODE`);
    await client.query('SET LOCAL lock_timeout TO DEFAULT');
    return true;
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    await client.query('ROLLBACK TO SAVEPOINT before_locks');
    return false;
  }
}
