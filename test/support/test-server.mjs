// @ts-check
import pg from 'pg';

/**
 * The URL of another database on the same server.
 * @param {string} url
 * @param {string} database
 * @returns {string}
 */
export function withDatabaseName(url, database) {
  const other = new URL(url);
  other.pathname = `/${database}`;
  return other.toString();
}

/**
 * Runs statements one after the other without a transaction in the database of the URL.
 * @param {string} url
 * @param {...string} statements
 * @returns {Promise<void>}
 */
export async function execute(url, ...statements) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
