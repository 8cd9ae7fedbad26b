import type { ClientBase, PoolClient } from 'pg';
import { type EntityManager, type QueryRunner, QueryRunnerAlreadyReleasedError } from 'typeorm';
import type { PreparedStatement } from './prepared-statement.js';

/**
 * Runs one SQL statement in `tx` and returns its rows. It calls pg directly, because TypeORM's `query()` cannot prepare
 * a statement. @throws pg's own error.
 */
export async function sqlRows<Row>(
  tx: EntityManager,
  statement: string | PreparedStatement,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const client = (await runnerOf(tx).connect()) as PoolClient;
  return rowsOf<Row>(client, statement, values);
}

/** {@link sqlRows} on a connection. */
export async function rowsOf<Row>(
  client: ClientBase,
  statement: string | PreparedStatement,
  values: readonly unknown[],
): Promise<Row[]> {
  const { rows } = await (typeof statement === 'string'
    ? client.query(statement, values as unknown[])
    : client.query({ name: statement.name, text: statement.text, values: values as unknown[] }));
  return rows as Row[];
}

/** The first row of {@link sqlRows}, or undefined when there is none. */
export async function sqlRow<Row>(
  tx: EntityManager,
  statement: string | PreparedStatement,
  values: readonly unknown[] = [],
): Promise<Row | undefined> {
  return (await sqlRows<Row>(tx, statement, values))[0];
}

function runnerOf({ queryRunner }: EntityManager): QueryRunner {
  if (queryRunner === undefined) throw new Error('This needs the EntityManager of a transaction: Transactions.run');
  // The session has ended; or the transaction has, and another request may use its connection by now.
  if (queryRunner.isReleased) throw new QueryRunnerAlreadyReleasedError();
  return queryRunner;
}

/** SQL for an instant, of the type `timestamptz`, as text: ISO 8601 in UTC with milliseconds. */
export function isoInstant(column: string): string {
  return `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
