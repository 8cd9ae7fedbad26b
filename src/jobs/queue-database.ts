import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { Pool, type PoolClient, type PoolConfig } from 'pg';
import { type Connection, describeError, isDatabaseUnavailable, servicePoolConfig } from '../database/index.js';

/** Two connections of their own, so that neither jobs nor requests can take all. Times in milliseconds. */
const POOL: PoolConfig = {
  max: 2,
  keepAlive: true,
  connectionTimeoutMillis: 3_000,
  query_timeout: 18_000,
};

/** The server's limits, in milliseconds. */
const SERVER_LIMITS = { statement_timeout: '15000', idle_in_transaction_session_timeout: '20000' };

/** How long connections may take to close before they are cut, in milliseconds. */
const CLOSING = 500;

/** The queue's own connections. Logs once that the database is away, and once that it is back. */
export class QueueDatabase {
  private readonly logger = new Logger('JobQueue');
  private readonly pool: Pool;
  private readonly clients = new Set<PoolClient>();
  private away = false;

  constructor(connection: Connection) {
    this.pool = new Pool({ ...servicePoolConfig(connection, 'offertory jobs', SERVER_LIMITS), ...POOL });
    // An idle connection was lost. The next statement opens another one, or fails.
    this.pool.on('error', () => undefined);
    this.pool.on('connect', (client) => this.clients.add(client));
    this.pool.on('remove', (client) => this.clients.delete(client));
  }

  /** The rows of one statement, which is a transaction of its own. */
  async query<Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    try {
      const { rows } = await this.pool.query(text, [...values]);
      if (this.away) this.logger.log('The queue has its database back');
      this.away = false;
      return rows as Row[];
    } catch (error) {
      if (!this.pool.ending && !this.away && isDatabaseUnavailable(error)) {
        this.away = true;
        this.logger.warn(`The queue cannot reach its database and goes on trying: ${describeError(error)}`);
      }
      throw error;
    }
  }

  /** Closes the connections, and cuts those that still wait for an answer. */
  async close(): Promise<void> {
    const ended = this.pool.end();
    await atMost(CLOSING, ended);
    for (const client of this.clients) void client.end().catch(() => undefined);
    await atMost(CLOSING, ended);
  }
}

/** Waits for `work`, but no longer than `milliseconds`. Never rejects. */
export async function atMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const limit = new AbortController();
  const tooLong = sleep(milliseconds, undefined, { signal: limit.signal });
  await Promise.race([work, tooLong]).catch(() => undefined);
  tooLong.catch(() => undefined);
  limit.abort();
}
