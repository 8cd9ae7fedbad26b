interface Queryable {
  query(sql: string): Promise<unknown[]>;
}

/** How many sessions of this database wait for a lock. Others of the same server have sessions and locks of their own. */
export async function countLockWaits(database: Queryable): Promise<number> {
  const sql = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return (await database.query(sql)).length;
}
