interface Queryable {
  query(sql: string): Promise<unknown[]>;
}

/** The number of sessions of this database that wait for a lock. Other databases of the server are not counted. */
export async function countLockWaits(database: Queryable): Promise<number> {
  const sql = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return (await database.query(sql)).length;
}
