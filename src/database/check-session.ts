import { type ClientBase, escapeLiteral, type QueryResult } from 'pg';
import { DatabaseNotWritableError, SessionNotKeptError } from './unsuitable-session.js';

/** Settings of PostgreSQL by name, in the units and the spelling of pg_settings.setting: milliseconds, on, off. */
export type SessionSettings = Readonly<Record<string, string>>;

/** What a session has to be like before it is used. */
export interface SessionNeeds {
  readonly settings: SessionSettings;
  /** False for a session that only reads, which a standby can serve as well. */
  readonly writes: boolean;
}

/** What a new session is asked about itself. */
interface SessionFacts {
  /** The server process behind the connection. */
  readonly pid: number;
  readonly in_recovery: boolean;
  readonly read_only: boolean;
}

const FACTS = `
  SELECT pg_backend_pid() AS pid, pg_is_in_recovery() AS in_recovery,
    current_setting('default_transaction_read_only')::boolean AS read_only`;

/**
 * Applies the settings to a new session, and reads back that they took effect, in one round trip. They are not sent as
 * startup parameters: a pooler refuses those, or drops them without a word.
 * @throws DatabaseNotWritableError, SessionNotKeptError
 */
export async function checkSession(client: ClientBase, { settings, writes }: SessionNeeds): Promise<void> {
  // Several statements in one simple query: a result for each.
  const results = (await client.query(
    [applying(settings), FACTS, readingBack(settings)].join(';\n'),
  )) as unknown as QueryResult[];
  const [, facts, actual] = results as [QueryResult, QueryResult<SessionFacts>, QueryResult<ActualSetting>];
  assertApplied(settings, actual.rows);
  const [row] = facts.rows;
  if (row === undefined) throw new Error('A SELECT without FROM gave no row');
  if (writes) assertWritable(row);
}

interface ActualSetting {
  readonly name: string;
  readonly setting: string;
}

function applying(settings: SessionSettings): string {
  const values = Object.entries(settings).map(([name, value]) => `(${escapeLiteral(name)}, ${escapeLiteral(value)})`);
  return `SELECT set_config(name, value, false) FROM (VALUES ${values.join(', ')}) AS wanted (name, value)`;
}

function readingBack(settings: SessionSettings): string {
  const names = Object.keys(settings).map((name) => escapeLiteral(name));
  return `SELECT name, setting FROM pg_catalog.pg_settings WHERE name IN (${names.join(', ')})`;
}

function assertApplied(wanted: SessionSettings, actual: readonly ActualSetting[]): void {
  const found = new Map(actual.map(({ name, setting }) => [name, setting]));
  for (const [name, value] of Object.entries(wanted)) {
    const setting = found.get(name);
    if (setting === value) continue;
    throw new SessionNotKeptError(
      `The setting ${name} is ${setting ?? 'unknown'} on a new connection, although it was set to ${value}`,
    );
  }
}

function assertWritable({ in_recovery: inRecovery, read_only: readOnly }: SessionFacts): void {
  if (inRecovery) throw new DatabaseNotWritableError('The database server is a standby, or is recovering');
  if (readOnly) throw new DatabaseNotWritableError('The database is read-only (default_transaction_read_only)');
}
