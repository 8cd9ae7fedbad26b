import type { Connection, PoolClient, QueryResult } from 'pg';
import type { QueryRunner } from 'typeorm';
import { STATEMENT_LIMIT_MS } from './database-time.js';
import type { PreparedStatement } from './prepared-statement.js';

const BEGIN = 'START TRANSACTION';
const COMMIT = 'COMMIT';

/** What pg keeps of a connection. */
interface PgClient {
  readonly connection: Connection & {
    /** The statements that were prepared on it, by name. */
    readonly parsedStatements: Readonly<Record<string, string>>;
  };
  /** No statement is under way, so that the next one is sent at once. */
  readonly readyForQuery: boolean;
}

/** A transaction of ours; TypeORM knows neither of its begin nor of its end. */
interface Transaction {
  readonly client: PoolClient;
  /** As of performance.now(): when it is given up. */
  readonly endsAt: number;
  state: TransactionState;
  /** Its last statement was sent, with or without COMMIT: no other may follow. */
  isClosed: boolean;
}

type TransactionState = 'not begun' | 'begun' | 'committed';

const transactions = new WeakMap<QueryRunner, Transaction>();

/**
 * Has the runner's transaction begin with its first statement, whether it is one of ours or TypeORM's: a connection is
 * held for a round trip less. @param endsAt when it is given up, as of performance.now().
 */
export function beginLater(runner: QueryRunner, client: PoolClient, endsAt: number): void {
  const transaction: Transaction = { client, endsAt, state: 'not begun', isClosed: false };
  transactions.set(runner, transaction);
  // TypeORM asks for the connection before each of its statements, and so do ours.
  runner.connect = async () => {
    if (transaction.isClosed) throw new Error('A statement follows the one that was said to be the last');
    if (transaction.state === 'not begun') {
      transaction.state = 'begun';
      await client.query(BEGIN);
    }
    return client;
  };
}

/** Lets no other statement follow in the runner's transaction. */
export function close(runner: QueryRunner): void {
  const transaction = transactions.get(runner);
  if (transaction !== undefined) transaction.isClosed = true;
}

/** How far the runner's transaction is: nothing was sent yet, or something, or COMMIT went along and well. */
export function stateOf(runner: QueryRunner): TransactionState {
  return transactions.get(runner)?.state ?? 'not begun';
}

/**
 * Sends a statement, and with it, in one message to the server, what begins or ends the transaction: the server runs what
 * follows only if what is before went well. Undefined where the statement has to be sent by itself: nothing could go with
 * it, it is not prepared on this connection yet, another one is under way, or the last one was sent before.
 * @param isLast nothing follows in this transaction.
 */
export async function sendTogether(
  runner: QueryRunner,
  statement: PreparedStatement,
  values: readonly unknown[],
  isLast: boolean,
): Promise<QueryResult | undefined> {
  const transaction = transactions.get(runner);
  if (transaction === undefined || transaction.isClosed) return undefined;
  const { client, state } = transaction;
  const { connection, readyForQuery } = client as unknown as PgClient;
  // pg would take the answer to our Parse for that to the statement's own.
  if (!readyForQuery || connection.parsedStatements[statement.name] !== statement.text) return undefined;
  const before = state === 'not begun' ? [BEGIN] : [];
  const after = isLast && leavesTheServerTime(transaction) ? [COMMIT] : [];
  if (before.length + after.length === 0) return undefined;
  transaction.state = 'begun';
  transaction.isClosed = isLast;
  const results = await send(client, connection, { before, statement, values, after });
  if (after.length > 0) {
    assertCommitted(results.at(-1));
    transaction.state = 'committed';
  }
  return results[before.length];
}

/** @throws Error where a statement has failed and the transaction's work has kept that to itself: the server rolls back then. */
export async function commit(client: PoolClient): Promise<void> {
  assertCommitted(await client.query(COMMIT));
}

function assertCommitted(result: QueryResult | undefined): void {
  if (result?.command !== COMMIT)
    throw new Error('The transaction was rolled back, since one of its statements had failed');
}

/** For the way to the server, and for COMMIT itself, which the server's limit does not cover; in milliseconds. */
const COMMIT_MARGIN_MS = 250;

/**
 * Whether the server gives the statement up before we do: else it could commit, after a lock that it has waited for, what
 * our caller was told has failed.
 */
function leavesTheServerTime({ endsAt }: Transaction): boolean {
  return endsAt - performance.now() > STATEMENT_LIMIT_MS + COMMIT_MARGIN_MS;
}

interface Message {
  readonly before: readonly string[];
  readonly statement: PreparedStatement;
  readonly values: readonly unknown[];
  readonly after: readonly string[];
}

/** No Sync but the last: until there the server skips what comes after an error. @returns a result for each command. */
function send(
  client: PoolClient,
  connection: PgClient['connection'],
  { before, statement, values, after }: Message,
): Promise<QueryResult[]> {
  connection.stream.cork();
  try {
    for (const text of before) execute(connection, text);
    // pg writes Bind, Execute and Sync in one go. What comes after goes before the Sync, and not where Bind fails.
    connection.execute = (...args) => {
      restoreExecute(connection);
      connection.execute(...args);
      for (const text of after) execute(connection, text);
    };
    const query = { name: statement.name, text: statement.text, values: values as unknown[] };
    return client.query(query) as unknown as Promise<QueryResult[]>;
  } finally {
    restoreExecute(connection);
    connection.stream.uncork();
  }
}

/** To its class's. */
function restoreExecute(connection: Connection): void {
  Reflect.deleteProperty(connection, 'execute');
}

function execute(connection: Connection, text: string): void {
  connection.parse({ text, name: '', types: [] }, true);
  connection.bind({}, true);
  connection.execute({}, true);
}
