import { Client } from 'pg';

/** Somebody else's transaction, which holds what it has locked. */
export interface HeldLock {
  release(): Promise<void>;
}

/** Begins a transaction, and locks in it by this statement. */
export async function holdLock(url: string, statement: string, values: readonly unknown[]): Promise<HeldLock> {
  const holder = new Client({ connectionString: url });
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query(statement, [...values]);
  return {
    release: async () => {
      await holder.query('COMMIT');
      await holder.end();
    },
  };
}
