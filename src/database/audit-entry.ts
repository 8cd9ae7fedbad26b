/**
 * Enters in the audit trail what was done to the database itself, in the transaction of this connection. In SQL, since
 * the room of the audit trail stands on this one.
 */
export async function enterInTrail(
  client: { query(sql: string, values: unknown[]): Promise<unknown> },
  entry: { readonly actor: string; readonly action: 'database.migrate' | 'database.move'; readonly details: object },
): Promise<void> {
  await client.query(`INSERT INTO audit_entry (actor, action, subject, details) VALUES ($1, $2, 'database', $3)`, [
    entry.actor,
    entry.action,
    JSON.stringify(entry.details),
  ]);
}
