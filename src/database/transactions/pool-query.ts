import type { Client, Pool, PoolClient } from 'pg';
import { spoilsConnection } from '../errors/sqlstate.js';
import { withinTime } from './database-time.js';
import type { PreparedStatement } from './prepared-statement.js';
import { rowsOf } from './sql.js';

/**
 * Runs one statement on a connection of the pool, outside of any transaction, and returns its rows. Closes a connection
 * that must not be used again. @param limit in milliseconds, with the wait for a connection.
 * @throws DatabaseTimeExceededError
 */
export async function queryPool<Row>(
  pool: Pool,
  statement: string | PreparedStatement,
  values: readonly unknown[],
  limit: number,
): Promise<Row[]> {
  return withinTime(limit, async (onExpiry) => {
    const client = await pool.connect();
    try {
      const cancel = onExpiry(() => {
        discard(client);
      });
      // Cancelled before the release, because then the connection may serve another request.
      return await rowsOf<Row>(client, statement, values).finally(cancel);
    } catch (error) {
      if (spoilsConnection(error)) discard(client);
      throw error;
    } finally {
      client.release();
    }
  });
}

/** Closes a connection at once, even while it waits. The pool replaces it. */
export function discard(client: PoolClient): void {
  // pg's types lack that a pooled client is a Client. Its end() destroys the socket if a statement is running.
  void (client as unknown as Client).end().catch(() => undefined);
}
