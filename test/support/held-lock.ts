import { Client } from 'pg';

/** Somebody else's transaction, which holds what it has locked. */
export interface HeldLock {
  release(): Promise<void>;
  /** Takes back what the statement did, instead of committing it. */
  rollBack(): Promise<void>;
}

/** Begins a transaction, and locks in it by this statement. */
export async function holdLock(url: string, statement: string, values: readonly unknown[]): Promise<HeldLock> {
  const holder = new Client({ connectionString: url });
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query(statement, [...values]);
  const end = async (how: 'COMMIT' | 'ROLLBACK'): Promise<void> => {
    await holder.query(how);
    await holder.end();
  };
  return { release: () => end('COMMIT'), rollBack: () => end('ROLLBACK') };
}
