import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { execute, withDatabaseName } from './test-server.mjs';

/** A migrated database of one test file. */
export interface TestDatabase {
  readonly url: string;
  readonly connection: { readonly url: string };
  /** Runs one statement directly on the database. @returns its rows. */
  query<Row = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  drop(): Promise<void>;
}

/** How a test's database differs from a copy of the migrated template. */
interface TestDatabaseOptions {
  /** Without any table. */
  readonly empty?: boolean;
  /** Another encoding than UTF8; the database is then empty. */
  readonly encoding?: string;
}

/** Creates a copy of the migrated template, unless the options say otherwise. */
export async function createTestDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const server = setting('OFFERTORY_TEST_SERVER');
  const name = `offertory_test_${randomUUID().replaceAll('-', '')}`;
  const { empty = false, encoding } = options;
  const template = empty || encoding !== undefined ? 'template0' : setting('OFFERTORY_TEST_TEMPLATE');
  // The locale C works with every encoding.
  const encoded = encoding === undefined ? '' : `ENCODING '${encoding}' LOCALE_PROVIDER libc LOCALE 'C'`;
  await execute(server, `CREATE DATABASE ${name} TEMPLATE ${template} ${encoded} STRATEGY file_copy`);
  const url = withDatabaseName(server, name);
  // The check of the ledger is one statement of many parts. On many rows, PostgreSQL would compile it for 15 seconds.
  const pool = new Pool({ connectionString: url, max: 4, options: '-c jit=off' });
  pool.on('error', () => undefined);
  return {
    url,
    connection: { url },
    query: async <Row>(text: string, values: readonly unknown[] = []) =>
      (await pool.query(text, [...values])).rows as Row[],
    drop: async () => {
      await pool.end();
      await execute(server, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

/** A variable that the global setup has set for the workers. */
function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: run the tests by npm test`);
  return value;
}
