import pg from 'pg';
import { step } from './steps.mjs';

const SERVER = process.env.TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';

/** Hands out the URL of a new, empty database, and drops it afterwards. */
export async function withDatabase(work) {
  const name = `container_check_${process.pid}_${Date.now()}`;
  await step('a PostgreSQL is there, and takes a new database', () => query(`CREATE DATABASE ${name}`));
  try {
    const url = new URL(SERVER);
    url.pathname = `/${name}`;
    return await work(url.href);
  } finally {
    await step('its database is dropped', () => query(`DROP DATABASE ${name} WITH (FORCE)`));
  }
}

async function query(sql) {
  const client = new pg.Client({ connectionString: SERVER, connectionTimeoutMillis: 10_000 });
  // A server that goes away while we wait must be an error of the query, not of the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
