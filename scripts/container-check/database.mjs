import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import pg from 'pg';
import { step } from './steps.mjs';

const SERVER = process.env.TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';

/** Calls `work` with the URL of a new, empty database, and drops it afterwards. */
export async function withDatabase(work) {
  const name = `container_check_${process.pid}_${Date.now()}`;
  await step('PostgreSQL is available and creates a database', () => query(`CREATE DATABASE ${name}`));
  try {
    const url = new URL(SERVER);
    url.pathname = `/${name}`;
    return await work(url.href);
  } finally {
    await step('its database is dropped', () => query(`DROP DATABASE ${name} WITH (FORCE)`));
  }
}

/**
 * Calls `work` with a database like that of a compose installation, and the directory of pg_dump and similar programs.
 * Drops the database and its user afterwards. Fails if roles of those names exist already.
 */
export async function withComposeDatabase(work) {
  await step('a database and a user as compose creates them', async () => {
    const others = "SELECT rolname FROM pg_roles WHERE rolname IN ('offertory_owner', 'offertory_service')";
    assert.deepEqual(await query(others), [], 'these roles exist already');
    await query(`CREATE ROLE offertory LOGIN SUPERUSER PASSWORD 'walked'`);
    for (const name of ['offertory', 'offertory_test']) await query(`CREATE DATABASE ${name} OWNER offertory`);
  });
  try {
    const url = new URL(SERVER);
    Object.assign(url, { pathname: '/offertory', username: 'offertory', password: 'walked' });
    return await work({ url: url.href, programs: await programs() });
  } finally {
    await step('the database and the user are dropped', async () => {
      for (const name of ['offertory', 'offertory_test', 'offertory_restored', 'offertory_before'])
        await query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      for (const role of ['offertory', 'offertory_owner', 'offertory_service'])
        await query(`DROP ROLE IF EXISTS ${role}`);
    });
  }
}

/** The directory of the programs of the server's version: an older pg_dump refuses it. */
async function programs() {
  const [{ version }] = await query(`SELECT current_setting('server_version_num')::integer / 10000 AS version`);
  const debian = `/usr/lib/postgresql/${version}/bin`;
  return existsSync(debian) ? debian : '';
}

async function query(sql) {
  const client = new pg.Client({ connectionString: SERVER, connectionTimeoutMillis: 10_000 });
  // Losing the server must fail the query, not the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
