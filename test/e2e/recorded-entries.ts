import type { TestDatabase } from '../support/test-database.js';

/** An entry of the audit trail. */
export type RecordedEntry = Record<'actor' | 'via' | 'action' | 'subject', string> & {
  readonly details: Record<string, unknown>;
};

/** What was recorded in the audit trail while this went on, the oldest first. */
export async function entriesOf(database: TestDatabase, work: () => PromiseLike<unknown>): Promise<RecordedEntry[]> {
  const [last] = await database.query<{ id: number | null }>('SELECT max(id) AS id FROM audit_entry');
  await work();
  return database.query<RecordedEntry>(
    'SELECT actor, via, action, subject, details FROM audit_entry WHERE id > $1 ORDER BY id',
    [last?.id ?? 0],
  );
}
