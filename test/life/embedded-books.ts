import { Pool } from 'pg';
import { openEmbeddedDatabase } from '../../src/embedded-postgres/index.js';
import type { Ledger } from '../support/ledger-invariants.js';

/** Runs `work` on the embedded database of a data directory, and closes it. */
export async function inEmbeddedBooks<T>(dataDir: string, work: (ledger: Ledger) => Promise<T>): Promise<T> {
  const server = await openEmbeddedDatabase({ dataDir, log: () => undefined });
  const pool = new Pool({ ...server.connection, max: 1 });
  try {
    return await work({
      query: async <Row>(text: string, values: readonly unknown[] = []) =>
        (await pool.query(text, [...values])).rows as Row[],
    });
  } finally {
    await pool.end();
    await server.close();
  }
}
