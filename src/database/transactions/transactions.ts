import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, EntityManager, QueryRunner } from 'typeorm';
import type { PoolClient } from 'pg';
import { type OnExpiry, TIME_LIMIT_MS, withinTime } from './database-time.js';
import { poolOf } from '../sessions/pool.js';
import type { PreparedStatement } from './prepared-statement.js';
import { discard, queryPool } from './pool-query.js';
import { isRetryable, isStatementTimeout, spoilsConnection } from '../errors/sqlstate.js';
import { COUNT_LIMIT_MS, MOST_COUNTED, type RowCount, rowCountOf } from './row-count.js';
import { sqlRow, sqlRows } from './sql.js';

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

  /**
   * Runs reading work that an answer can do without, and gives up each statement that takes long.
   * @returns undefined if it took too long.
   */
  async briefly<T>(work: (tx: EntityManager) => Promise<T>): Promise<T | undefined> {
    try {
      return await this.run(async (tx) => {
        await sqlRows(tx, `SET LOCAL statement_timeout = ${COUNT_LIMIT_MS}`);
        return work(tx);
      });
    } catch (error) {
      if (isStatementTimeout(error)) return undefined;
      throw error;
    }
  }

  /**
   * How many rows there are for people who look at a list, up to a limit. @returns undefined if counting takes too long.
   * @param count gets how many rows to look for at most, and returns how many it has found.
   */
  async countRows(count: (tx: EntityManager, most: number) => Promise<number>): Promise<RowCount | undefined> {
    const found = await this.briefly((tx) => count(tx, MOST_COUNTED + 1));
    return found === undefined ? undefined : rowCountOf(found);
  }

  /** As {@link countRows}, the rows of a SELECT. */
  async countSelected(select: string, values: readonly unknown[] = []): Promise<RowCount | undefined> {
    return this.countRows(async (tx, most) => {
      const counted = `SELECT count(*)::integer AS found FROM (${select} LIMIT ${most}) selected`;
      return (await sqlRow<{ found: number }>(tx, counted, values))?.found ?? 0;
    });
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
