import { Logger } from '@nestjs/common';
import { Pool, PoolClient, PoolConfig } from 'pg';
import type PgBoss from 'pg-boss';
import { type Connection, isDatabaseUnavailable, poolConfig } from '../database/index.js';
import { describeFault } from './faults.js';
import { atMost } from './timing.js';

/** Two connections, apart from those of the requests: neither can starve the other. Times in milliseconds. */
const POOL = {
  max: 2,
  keepAlive: true,
  connectionTimeoutMillis: 3_000,
  query_timeout: 18_000,
} satisfies PoolConfig;

/** The server's limits in milliseconds. Clearing up after a busy day takes longer than any request may. */
const SERVER_LIMITS = { statement_timeout: '15000', idle_in_transaction_session_timeout: '20000' };

/** How long connections may take to close before they are cut. */
const CLOSING_MS = 500;

/** The queue's way to PostgreSQL. It tells once that the database is away, and once that it is back. */
export class QueueDatabase implements PgBoss.Db {
  private readonly logger = new Logger('JobQueue');
  private readonly pool: Pool;
  private readonly clients = new Set<PoolClient>();
  private away = false;

  constructor(connection: Connection) {
    this.pool = new Pool({ ...poolConfig(connection, 'offertory jobs', SERVER_LIMITS), ...POOL });
    // An idle connection was lost. The next statement opens another one, or fails and says so.
    this.pool.on('error', () => undefined);
    this.pool.on('connect', (client) => this.clients.add(client));
    this.pool.on('remove', (client) => this.clients.delete(client));
  }

  async executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }> {
    try {
      // A failing statement costs the pool its connection, so none comes back with a transaction half done.
      const result = await this.pool.query(text, values);
      if (this.away) this.logger.log('The queue has its database back');
      this.away = false;
      return result;
    } catch (error) {
      if (!this.pool.ending && isDatabaseUnavailable(error)) this.noteAway(error);
      throw error;
    }
  }

  /** Closes the connections, and cuts those that are still waiting for an answer. */
  async close(): Promise<void> {
    const ended = this.pool.end();
    await atMost(CLOSING_MS, ended);
    for (const client of this.clients) void client.end().catch(() => undefined);
    await atMost(CLOSING_MS, ended);
  }

  private noteAway(error: unknown): void {
    if (this.away) return;
    this.away = true;
    this.logger.warn(`The queue cannot reach its database and goes on trying: ${describeFault(error)}`);
  }
}
