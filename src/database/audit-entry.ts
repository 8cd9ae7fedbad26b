/** What is done to the database itself; the last is recorded by the database. Declared here: the audit trail builds on this room. */
export const DATABASE_ACTIONS = ['database.migrate', 'database.move', 'database.new-epoch'] as const;

/**
 * Enters in the audit trail what was done to the database itself, in the transaction of this connection. In SQL, since
 * the room of the audit trail stands on this one.
 */
export async function enterInTrail(
  client: { query(sql: string, values: unknown[]): Promise<unknown> },
  entry: { readonly actor: string; readonly action: (typeof DATABASE_ACTIONS)[number]; readonly details: object },
): Promise<void> {
  await client.query(`INSERT INTO audit_entry (actor, action, subject, details) VALUES ($1, $2, 'database', $3)`, [
    entry.actor,
    entry.action,
    JSON.stringify(entry.details),
  ]);
}
