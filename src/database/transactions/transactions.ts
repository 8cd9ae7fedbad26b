import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, EntityManager, QueryRunner } from 'typeorm';
import type { PoolClient } from 'pg';
import { beginLater, commit, stateOf } from '../begin-and-commit.js';
import { type OnExpiry, TIME_LIMIT_MS, withinTime } from './database-time.js';
import { poolOf } from '../sessions/pool.js';
import type { PreparedStatement } from './prepared-statement.js';
import { rowsOf } from './sql.js';
import { isRetryable, spoilsConnection } from '../errors/sqlstate.js';

/** How often a transaction is tried again after a serialization failure or a deadlock. */
const RETRIES = 3;

/**
 * The one way to write: `run` opens a transaction and hands it to `work` as the `tx` that every write takes.
 * There is no hidden context; what is not given `tx` does not write.
 */
@Injectable()
export class Transactions {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /**
   * Runs `work` in a transaction: committed when it resolves, rolled back when it throws before its `lastSqlRows`.
   * The whole of `work` is repeated after SQLSTATE 40001 and 40P01, so it must do nothing but talk to the database.
   * @param limit for all of it, in milliseconds. @throws DatabaseTimeExceededError
   */
  async run<T>(work: (tx: EntityManager) => Promise<T>, limit = TIME_LIMIT_MS): Promise<T> {
    const endsAt = performance.now() + limit;
    return withinTime(limit, async (onExpiry) => {
      for (let retries = 0; ; retries++) {
        try {
          return await this.attempt(work, endsAt, onExpiry);
        } catch (error) {
          if (retries === RETRIES || !isRetryable(error)) throw error;
        }
      }
    });
  }

  /**
   * The rows of one statement outside of any transaction: for reading. A connection that must not be used again is cut. @param limit as of {@link run}.
   */
  async query<Row>(
    statement: string | PreparedStatement,
    values: readonly unknown[] = [],
    limit = TIME_LIMIT_MS,
  ): Promise<Row[]> {
    return withinTime(limit, async (onExpiry) => {
      const client = await poolOf(this.dataSource).connect();
      try {
        const takeBack = onExpiry(() => {
          cut(client);
        });
        // Before it is released: then it may serve another request.
        return await rowsOf<Row>(client, statement, values).finally(takeBack);
      } catch (error) {
        if (spoilsConnection(error)) cut(client);
        throw error;
      } finally {
        client.release();
      }
    });
  }

  private async attempt<T>(work: (tx: EntityManager) => Promise<T>, endsAt: number, onExpiry: OnExpiry): Promise<T> {
    const runner = this.dataSource.createQueryRunner();
    const client = (await runner.connect()) as PoolClient;
    try {
      const takeBack = onExpiry(() => {
        cut(client);
      });
      beginLater(runner, client, endsAt);
      // Before it is released: then it may serve another request.
      return await inTransaction(runner, client, work).finally(takeBack);
    } finally {
      await runner.release();
    }
  }
}

async function inTransaction<T>(
  runner: QueryRunner,
  client: PoolClient,
  work: (tx: EntityManager) => Promise<T>,
): Promise<T> {
  try {
    // TypeORM's own way to begin and end one tells subscribers of it, whom nobody has here; this it has to know, or it
    // would begin another one for each entity that is saved.
    Object.assign(runner, { isTransactionActive: true });
    const result = await work(runner.manager);
    if (stateOf(runner) === 'begun') await commit(client);
    return result;
  } catch (error) {
    if (stateOf(runner) === 'begun') await abandon(client, error);
    throw error;
  } finally {
    Object.assign(runner, { isTransactionActive: false });
  }
}

/** Rolls back, or cuts a connection that must not be used again. */
async function abandon(client: PoolClient, error: unknown): Promise<void> {
  if (spoilsConnection(error)) {
    cut(client);
    return;
  }
  try {
    await client.query('ROLLBACK');
  } catch {
    // The first error is the one to tell; a connection that cannot roll back must not serve another request.
    cut(client);
  }
}

function cut(client: PoolClient): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}
