/**
 * Audit actions on the database itself, with what each means; the database records all but the first three itself. They are
 * here because audit/ imports database/.
 */
export const MEANING_OF_DATABASE_ACTIONS: Readonly<Record<string, string>> = {
  'database.migrate': 'changed the schema of the database',
  'database.move': 'moved the books to another database',
  'database.reset': 'deleted all gifts and people of the test system',
  'database.new-epoch': 'began a new epoch of the books, after a restore or a failover',
  // Recorded by triggers, for changes that bypass the service.
  'database.user-change': 'changed a user in SQL',
  'database.token-change': 'changed a token in SQL',
  'database.role-change': 'changed a role in SQL',
  'database.bundle-change': 'changed a closed bundle in SQL',
  'database.deposit-change': 'changed a deposit in SQL',
};

/** All of them. */
export const DATABASE_ACTIONS: readonly string[] = Object.keys(MEANING_OF_DATABASE_ACTIONS);

/**
 * Records an action on the database itself in the audit trail, in the transaction of this connection. It uses SQL,
 * because audit/ imports this folder.
 */
export async function recordDatabaseAction(
  client: { query(sql: string, values: unknown[]): Promise<unknown> },
  entry: {
    readonly actor: string;
    readonly action: 'database.migrate' | 'database.move' | 'database.reset';
    readonly details: object;
  },
): Promise<void> {
  await client.query(`INSERT INTO audit_entry (actor, action, subject, details) VALUES ($1, $2, 'database', $3)`, [
    entry.actor,
    entry.action,
    JSON.stringify(entry.details),
  ]);
}
