/**
 * Audit actions on the database itself; the database records all but the first two itself. They are here because audit/ imports
 * database/.
 */
export const DATABASE_ACTIONS = [
  'database.migrate',
  'database.move',
  'database.new-epoch',
  // Recorded by triggers, for changes that bypass the service.
  'database.user-change',
  'database.token-change',
  'database.role-change',
  'database.bundle-change',
] as const;

/**
 * Records an action on the database itself in the audit trail, in the transaction of this connection. It uses SQL,
 * because audit/ imports this folder.
 */
export async function recordDatabaseAction(
  client: { query(sql: string, values: unknown[]): Promise<unknown> },
  entry: { readonly actor: string; readonly action: 'database.migrate' | 'database.move'; readonly details: object },
): Promise<void> {
  await client.query(`INSERT INTO audit_entry (actor, action, subject, details) VALUES ($1, $2, 'database', $3)`, [
    entry.actor,
    entry.action,
    JSON.stringify(entry.details),
  ]);
}
