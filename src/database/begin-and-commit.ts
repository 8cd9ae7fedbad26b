import type { Connection, PoolClient, QueryConfig, QueryResult } from 'pg';
import type { QueryRunner } from 'typeorm';
import type { PreparedStatement } from './prepared-statement.js';

const BEGIN = 'START TRANSACTION';

/** What pg keeps of a connection: the statements that were prepared on it, by name. */
type PgConnection = Connection & { readonly parsedStatements: Readonly<Record<string, string>> };

/** Whose transaction begins with its first statement. */
const notBegun = new WeakMap<QueryRunner, PoolClient>();

/**
 * Has the runner's transaction begin with its first statement, whether it is one of ours ({@link begunBy}) or TypeORM's:
 * a connection is held for a round trip less.
 */
export function beginLater(runner: QueryRunner, client: PoolClient): void {
  notBegun.set(runner, client);
  // TypeORM asks for the connection before each of its statements.
  runner.connect = async () => {
    if (notBegun.delete(runner)) await client.query(BEGIN);
    return client;
  };
}

/** False where nothing was sent yet. */
export function hasBegun(runner: QueryRunner): boolean {
  return !notBegun.has(runner);
}

/**
 * Begins the transaction with this statement, both in one message to the server, which runs the second only if the first
 * went well. Undefined where it has begun already, or the statement is not prepared on this connection yet.
 */
export async function begunBy(
  runner: QueryRunner,
  statement: PreparedStatement,
  values: readonly unknown[],
): Promise<QueryResult | undefined> {
  const client = notBegun.get(runner);
  if (client === undefined) return undefined;
  const { connection } = client as unknown as { connection: PgConnection };
  // pg would take the answer to our Parse for that to the statement's own.
  if (connection.parsedStatements[statement.name] !== statement.text) return undefined;
  notBegun.delete(runner);
  const query = { name: statement.name, text: statement.text, values: values as unknown[] };
  return (await sendBoth(client, connection, query))[1];
}

function sendBoth(client: PoolClient, connection: PgConnection, query: QueryConfig): Promise<QueryResult[]> {
  connection.stream.cork();
  try {
    // No Sync follows but the statement's own: until there the server skips what comes after an error.
    connection.parse({ text: BEGIN, name: '', types: [] }, true);
    connection.bind({}, true);
    connection.execute({}, true);
    // Two commands are done when it is: pg has a result for each.
    return client.query(query) as unknown as Promise<QueryResult[]>;
  } finally {
    connection.stream.uncork();
  }
}
