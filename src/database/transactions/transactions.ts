import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, EntityManager, QueryRunner } from 'typeorm';
import type { PoolClient } from 'pg';
import { type OnExpiry, TIME_LIMIT_MS, withinTime } from './database-time.js';
import { poolOf } from '../sessions/pool.js';
import type { PreparedStatement } from './prepared-statement.js';
import { discard, queryPool } from './pool-query.js';
import { isRetryable, spoilsConnection } from '../errors/sqlstate.js';

/** How often a transaction is repeated after a serialization failure or a deadlock. */
const RETRIES = 3;

/**
 * The only way to write: `run` opens a transaction and passes it to `work` as the `tx` that every write takes.
 * There is no hidden context: code without `tx` cannot write.
 */
@Injectable()
export class Transactions {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /**
   * Runs `work` in a transaction, which is committed when `work` resolves and rolled back when it throws.
   * `work` is repeated after SQLSTATE 40001 and 40P01, so it must have no effects outside the database.
   * @param limit for all attempts together, in milliseconds. @throws DatabaseTimeExceededError
   */
  async run<T>(work: (tx: EntityManager) => Promise<T>, limit = TIME_LIMIT_MS): Promise<T> {
    return withinTime(limit, async (onExpiry) => {
      for (let retries = 0; ; retries++) {
        try {
          return await this.attempt(work, onExpiry);
        } catch (error) {
          if (retries === RETRIES || !isRetryable(error)) throw error;
        }
      }
    });
  }

  /**
   * Runs one reading statement outside of any transaction and returns its rows. Closes a connection that must not be
   * used again. @param limit as in {@link run}.
   */
  async query<Row>(
    statement: string | PreparedStatement,
    values: readonly unknown[] = [],
    limit = TIME_LIMIT_MS,
  ): Promise<Row[]> {
    return queryPool(poolOf(this.dataSource), statement, values, limit);
  }

  private async attempt<T>(work: (tx: EntityManager) => Promise<T>, onExpiry: OnExpiry): Promise<T> {
    const runner = this.dataSource.createQueryRunner();
    const client = (await runner.connect()) as PoolClient;
    try {
      const cancel = onExpiry(() => {
        discard(client);
      });
      // Cancelled before the release, because then the connection may serve another request.
      return await commitOrRollBack(runner, client, work).finally(cancel);
    } finally {
      await runner.release();
    }
  }
}

async function commitOrRollBack<T>(
  runner: QueryRunner,
  client: PoolClient,
  work: (tx: EntityManager) => Promise<T>,
): Promise<T> {
  await runner.startTransaction();
  try {
    const result = await work(runner.manager);
    await runner.commitTransaction();
    return result;
  } catch (error) {
    await rollBack(runner, client, error);
    throw error;
  }
}

/** Rolls back, or closes a connection that must not be used again. */
async function rollBack(runner: QueryRunner, client: PoolClient, error: unknown): Promise<void> {
  if (spoilsConnection(error)) {
    discard(client);
    return;
  }
  try {
    await runner.rollbackTransaction();
  } catch {
    // The caller gets the first error. A connection that cannot roll back must not serve another request.
    discard(client);
  }
}
