import type { Connection, PoolClient, QueryResult } from 'pg';
import { serialize } from 'pg-protocol';
import type { QueryRunner } from 'typeorm';
import { STATEMENT_LIMIT_MS } from './transactions/database-time.js';
import type { PreparedStatement } from './transactions/prepared-statement.js';

const BEGIN = 'START TRANSACTION';
const COMMIT = 'COMMIT';
/** As they go along with a statement. */
const [BEGIN_MESSAGES, COMMIT_MESSAGES] = [messagesOf(BEGIN), messagesOf(COMMIT)];

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
  const begins = state === 'not begun';
  const commits = isLast && leavesTheServerTime(transaction);
  if (!begins && !commits) return undefined;
  transaction.state = 'begun';
  transaction.isClosed = isLast;
  // A result for each command.
  const results = await between(
    connection,
    begins ? BEGIN_MESSAGES : NOTHING,
    commits ? COMMIT_MESSAGES : NOTHING,
    () => query(client, statement, values),
  );
  if (commits) {
    assertCommitted(results.at(-1));
    transaction.state = 'committed';
  }
  return results[begins ? 1 : 0];
}

function query(
  client: PoolClient,
  { name, text }: PreparedStatement,
  values: readonly unknown[],
): Promise<QueryResult[]> {
  return client.query({ name, text, values: values as unknown[] }) as unknown as Promise<QueryResult[]>;
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

const NOTHING = Buffer.alloc(0);

/** What goes between a statement's Execute and its Sync, by connection. */
const trailers = new WeakMap<Connection, { messages: Buffer }>();

/**
 * Has `send` send a statement with other messages around it, and all at once. No Sync but the last: until there the server
 * skips what comes after an error.
 */
function between<T>(connection: Connection, before: Buffer, after: Buffer, send: () => T): T {
  const trailer = trailerOf(connection);
  connection.stream.cork();
  try {
    write(connection, before);
    trailer.messages = after;
    return send();
  } finally {
    trailer.messages = NOTHING;
    connection.stream.uncork();
  }
}

/**
 * pg writes Bind, Execute and Sync in one go, and no Execute where Bind fails. Its method is replaced once for each
 * connection: putting another one there for each statement would be slow.
 */
function trailerOf(connection: Connection): { messages: Buffer } {
  const known = trailers.get(connection);
  if (known !== undefined) return known;
  const trailer = { messages: NOTHING };
  trailers.set(connection, trailer);
  const execute = connection.execute.bind(connection);
  connection.execute = (...args) => {
    execute(...args);
    write(connection, trailer.messages);
  };
  return trailer;
}

function write({ stream }: Connection, messages: Buffer): void {
  // pg looks for it, too: what cannot be written will not be answered, and is an error then.
  if (messages.length > 0 && stream.writable) stream.write(messages);
}

/** What has a statement without values parsed and run, but for the Sync. */
function messagesOf(text: string): Buffer {
  return Buffer.concat([serialize.parse({ text }), serialize.bind(), serialize.execute()]);
}
