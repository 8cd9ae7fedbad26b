import { type ClientBase, type ClientConfig } from 'pg';
import { SessionClient } from './session-client.js';
import { sqlState } from '../errors/sqlstate.js';
import { SessionNotKeptError } from './unsuitable-session.js';

export const POOLER_ADVICE =
  'A connection pooler in transaction or statement mode is the likely cause. Set it to session mode ' +
  '(PgBouncer: pool_mode = session), or connect to PostgreSQL directly; see docs/operating.md, "Connection poolers".';

/** How long it is believed that a pooler keeps sessions apart, in milliseconds. */
const BELIEVED_MS = 30_000;

/** How long a second connection is waited for, in milliseconds: all of the pooler's may be in use. */
const COMPANION_MS = 2_000;

/** PgBouncer in statement mode refuses a BEGIN, by a protocol violation. */
const PROTOCOL_VIOLATION = '08P01';

const SELECT_PID = 'SELECT pg_backend_pid() AS pid';

/** Whether a pooler gives each of its clients a session of its own. What is found counts for half a minute. */
export class SessionPooling {
  private knownAt = -Infinity;

  /** @param config opens another connection to the same place. */
  constructor(private readonly config: ClientConfig) {}

  /**
   * Uses the connection and a second one in turn, and looks at which processes serve them: each has to stay with its own.
   * While the second one is in a transaction, the first one could not get its process back, if it ever was given up. It is
   * looked at before as well: where there is but one process for all, the first one would wait for it for ever.
   * @throws SessionNotKeptError
   */
  async assertBySession(client: ClientBase): Promise<void> {
    if (performance.now() - this.knownAt < BELIEVED_MS) return;
    const limits = { connectionTimeoutMillis: COMPANION_MS, query_timeout: COMPANION_MS };
    const companion = new SessionClient({ ...this.config, ...limits });
    try {
      await companion.connect();
      await assertApart(client, companion);
      this.knownAt = performance.now();
    } catch (error) {
      // There is no second connection, for example because all are in use: a pooler that shares them seldom runs out.
      if (error instanceof SessionNotKeptError) throw error;
    } finally {
      await companion.end().catch(() => undefined);
    }
  }
}

async function assertApart(client: ClientBase, companion: ClientBase): Promise<void> {
  const own = [await pidOf(client), await pidOf(client)];
  const others = [await pidOf(companion), await pidOf(companion)];
  own.push(await pidOf(client));
  assertEachItsOwn(own, others);
  await begin(companion);
  others.push(await pidOf(companion));
  own.push(await pidOf(client), await pidOf(client));
  await companion.query('ROLLBACK');
  assertEachItsOwn(own, others);
}

function assertEachItsOwn(own: readonly number[], others: readonly number[]): void {
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
