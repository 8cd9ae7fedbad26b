import { type ClientBase, type ClientConfig, escapeLiteral, type QueryResult } from 'pg';
import { POOLER_ADVICE, SessionPooling } from './session-pooling.js';
import { DatabaseNotWritableError, SessionNotKeptError } from './unsuitable-session.js';

/** Settings of PostgreSQL by name, in the units and the spelling of pg_settings.setting: milliseconds, on, off. */
export type SessionSettings = Readonly<Record<string, string>>;

/** The requirements for a session. */
export interface SessionRequirements {
  readonly settings: SessionSettings;
  /** False for a session that only reads, so that a standby is sufficient. */
  readonly writes: boolean;
}

/** Facts about a session and its server. */
export interface SessionFacts {
  /** The server process behind the connection. */
  readonly pid: number;
  readonly in_recovery: boolean;
  readonly read_only: boolean;
}

/** Selects the {@link SessionFacts}. */
export const SELECT_FACTS = `
  SELECT pg_backend_pid() AS pid, pg_is_in_recovery() AS in_recovery,
    current_setting('default_transaction_read_only')::boolean AS read_only`;

/** Prepares and checks the new sessions of one pool, or a single one. */
export class SessionCheck {
  private readonly pooling: SessionPooling;

  /** @param config opens another connection to the same database. */
  constructor(
    private readonly requirements: SessionRequirements,
    config: ClientConfig,
  ) {
    this.pooling = new SessionPooling(config);
  }

  /**
   * Applies the settings to a new session, and checks that they took effect, in one round trip. They are not sent as
   * startup parameters, because a pooler refuses or silently ignores those. Behind a pooler it takes more round trips
   * to check that the session is exclusive (ADR 26).
   * @throws DatabaseNotWritableError, SessionNotKeptError
   */
  async prepare(client: ClientBase): Promise<void> {
    const announced = processIdOf(client);
    const { pid } = await this.apply(client, announced);
    if (pid === announced) return;
    // A pooler announces an invented process id. The session was not changed, because another client may get it next.
    await this.pooling.assertExclusiveSessions(client);
    await this.apply(client, pid);
    await this.apply(client, pid, 'reads only');
  }

  /**
   * Applies the settings, reads them back and checks them. If another process than `pid` serves the connection, they
   * only apply until the end of this statement.
   */
  private async apply(client: ClientBase, pid: number, how: 'sets' | 'reads only' = 'sets'): Promise<SessionFacts> {
    const { settings, writes } = this.requirements;
    const statements = [SELECT_FACTS, selectSettings(settings)];
    if (how === 'sets') statements.unshift(applySettings(settings, pid));
    // Several statements in one simple query: a result for each.
    const results = (await client.query(statements.join(';\n'))) as unknown as readonly QueryResult[];
    const [facts, actual] = results.slice(-2) as [QueryResult<SessionFacts>, QueryResult<ActualSetting>];
    assertApplied(settings, actual.rows);
    return assertUsable(facts.rows[0], writes);
  }
}

/** @throws DatabaseNotWritableError if `writes` is true and the session cannot write. */
export function assertUsable(facts: SessionFacts | undefined, writes: boolean): SessionFacts {
  if (facts === undefined) throw new Error('A SELECT without FROM gave no row');
  if (writes && facts.in_recovery)
    throw new DatabaseNotWritableError('The database server is a standby, or is recovering');
  if (writes && facts.read_only)
    throw new DatabaseNotWritableError('The database is read-only: default_transaction_read_only is on');
  return facts;
}

/** The process id that the server announced for the connection, or 0. It is missing in pg's types. */
function processIdOf(client: ClientBase): number {
  return (client as { processID?: number | null }).processID ?? 0;
}

interface ActualSetting {
  readonly name: string;
  readonly setting: string;
}

function applySettings(settings: SessionSettings, pid: number): string {
  const values = Object.entries(settings).map(([name, value]) => `(${escapeLiteral(name)}, ${escapeLiteral(value)})`);
  return `
    SELECT set_config(name, value, pg_backend_pid() <> ${pid})
    FROM (VALUES ${values.join(', ')}) AS wanted (name, value)`;
}

function selectSettings(settings: SessionSettings): string {
  const names = Object.keys(settings).map((name) => escapeLiteral(name));
  return `SELECT name, setting FROM pg_catalog.pg_settings WHERE name IN (${names.join(', ')})`;
}

function assertApplied(wanted: SessionSettings, actual: readonly ActualSetting[]): void {
  const found = new Map(actual.map(({ name, setting }) => [name, setting]));
  for (const [name, value] of Object.entries(wanted)) {
    const setting = found.get(name);
    if (setting === value) continue;
    throw new SessionNotKeptError(
      `The setting ${name} was set to ${value} on a new connection, but is ${setting ?? 'unknown'}. ${POOLER_ADVICE}`,
    );
  }
}
