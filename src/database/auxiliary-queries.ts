import { Inject, Injectable, OnModuleDestroy } from '@nestjs/common';
import { Pool } from 'pg';
import { type Connection, CONNECTION, requestPoolConfig } from './sessions/connection.js';
import { TIME_LIMIT_MS } from './transactions/database-time.js';
import { queryPool } from './transactions/pool-query.js';
import type { PreparedStatement } from './transactions/prepared-statement.js';

/** Two for the look-ups of users (AccountLookups), and two for the counts of failures, tokens and metrics. */
const MAX_CONNECTIONS = 4;

/**
 * Runs statements on connections of their own for requests that need no credentials, or whose credentials are not
 * verified yet: logins and metrics. Such requests can neither take the connections that gifts use nor wait for them.
 */
@Injectable()
export class AuxiliaryQueries implements OnModuleDestroy {
  private readonly pool: Pool;

  constructor(@Inject(CONNECTION) connection: Connection) {
    // Open connections are kept: a flood must not wait until they are opened and checked.
    const kept = { idleTimeoutMillis: 0 };
    this.pool = new Pool({ ...requestPoolConfig(connection, 'offertory logins', MAX_CONNECTIONS), ...kept });
    // An idle connection was lost. The next statement opens another one, or fails.
    this.pool.on('error', () => undefined);
  }

  /** Runs one statement and returns its rows. @param limit in milliseconds. @throws DatabaseTimeExceededError */
  query<Row>(
    statement: string | PreparedStatement,
    values: readonly unknown[] = [],
    limit = TIME_LIMIT_MS,
  ): Promise<Row[]> {
    return queryPool(this.pool, statement, values, limit);
  }

  async onModuleDestroy(): Promise<void> {
    await this.pool.end();
  }
}
