import { type ClientBase, type ClientConfig } from 'pg';
import { SessionClient } from './session-client.js';
import { sqlState } from '../errors/sqlstate.js';
import { SessionNotKeptError } from './unsuitable-session.js';

export const POOLER_ADVICE =
  'A connection pooler in transaction or statement mode is the likely cause. Set it to session mode ' +
  '(PgBouncer: pool_mode = session), or connect to PostgreSQL directly; see docs/operating.md, "Connection poolers".';

/** How long the result of a check is valid, in milliseconds. */
const VALID_MS = 30_000;

/** How long to wait for a second connection, in milliseconds. All of the pooler's connections may be in use. */
const COMPANION_MS = 2_000;

/** PgBouncer in statement mode refuses BEGIN with this code. */
const PROTOCOL_VIOLATION = '08P01';

const SELECT_PID = 'SELECT pg_backend_pid() AS pid';

/** Checks whether a pooler gives each client a session of its own. A successful check is valid for half a minute. */
export class SessionPooling {
  private checkedAt = -Infinity;

  /** @param config opens another connection to the same database. */
  constructor(private readonly config: ClientConfig) {}

  /**
   * Uses the connection and a second one in turn, and checks that each keeps its own server process. If the pooler
   * shared processes, the first connection could not get its own back while the second one is in a transaction. Before
   * that it is checked without a transaction: with only one process the first connection would wait for ever.
   * @throws SessionNotKeptError
   */
  async assertExclusiveSessions(client: ClientBase): Promise<void> {
    if (performance.now() - this.checkedAt < VALID_MS) return;
    const limits = { connectionTimeoutMillis: COMPANION_MS, query_timeout: COMPANION_MS };
    const companion = new SessionClient({ ...this.config, ...limits });
    try {
      await companion.connect();
      await assertSeparateSessions(client, companion);
      this.checkedAt = performance.now();
    } catch (error) {
      // No second connection, for example because all are in use. A pooler that shares them seldom runs out of them.
      if (error instanceof SessionNotKeptError) throw error;
    } finally {
      await companion.end().catch(() => undefined);
    }
  }
}

async function assertSeparateSessions(client: ClientBase, companion: ClientBase): Promise<void> {
  const own = [await pidOf(client), await pidOf(client)];
  const others = [await pidOf(companion), await pidOf(companion)];
  own.push(await pidOf(client));
  assertOwnProcesses(own, others);
  await begin(companion);
  others.push(await pidOf(companion));
  own.push(await pidOf(client), await pidOf(client));
  await companion.query('ROLLBACK');
  assertOwnProcesses(own, others);
}

function assertOwnProcesses(own: readonly number[], others: readonly number[]): void {
  if (new Set(own).size === 1 && new Set(others).size === 1 && own[0] !== others[0]) return;
  throw new SessionNotKeptError(`The statements of one connection ran in different sessions. ${POOLER_ADVICE}`);
}

async function pidOf(client: ClientBase): Promise<number> {
  const { rows } = await client.query<{ pid: number }>(SELECT_PID);
  return rows[0]?.pid ?? 0;
}

async function begin(client: ClientBase): Promise<void> {
  try {
    await client.query('BEGIN');
  } catch (cause) {
    if (sqlState(cause) !== PROTOCOL_VIOLATION) throw cause;
    throw new SessionNotKeptError(`Transactions are refused. ${POOLER_ADVICE}`, { cause });
  }
}
