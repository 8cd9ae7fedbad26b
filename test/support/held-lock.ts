import { Client } from 'pg';

/** The open transaction of another session, which holds locks. */
export interface HeldLock {
  release(): Promise<void>;
  /** Rolls the statement back instead of committing it. */
  rollBack(): Promise<void>;
}

/** Begins a transaction and runs this statement in it. */
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
