import type { ClientBase } from 'pg';

/** PostgreSQL 15, in the format of `server_version_num`. */
const OLDEST_VERSION = 150_000;

interface ServerRow {
  readonly version: string;
  readonly number: number;
  readonly encoding: string;
  readonly has_ledger: boolean;
}

/**
 * Refuses a database whose faults would only show once it contains gifts, and that a start cannot repair. It runs at
 * each start and migration, before anything is written. Other faults do not prevent recording gifts; they are logged
 * (docs/operating.md, "Checks").
 * @throws Error with advice, for a server that is too old, and for a new database that is not in UTF-8.
 */
export async function refuseUnsuitableDatabase(client: ClientBase): Promise<void> {
  const { rows } = await client.query<ServerRow>(
    `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::integer AS number,
       current_setting('server_encoding') AS encoding, to_regclass('public.contribution') IS NOT NULL AS has_ledger`,
  );
  const [server] = rows;
  if (server === undefined) throw new Error('A SELECT without FROM returned no row');
  if (server.number < OLDEST_VERSION)
    throw new Error(`PostgreSQL ${server.version} is too old: version 15 or later is needed. Upgrade it.`);
  if (server.encoding === 'UTF8' || (server.has_ledger && (await holdsGifts(client)))) return;
  throw new Error(
    `The database has the encoding ${server.encoding}, in which names such as O’Dell cannot be stored. It holds no gifts ` +
      "yet: create another one with CREATE DATABASE offertory ENCODING 'UTF8' TEMPLATE template0 (and LOCALE 'C' if the " +
      "server's own locale is for another encoding), and name it in DATABASE_URL.",
  );
}

async function holdsGifts(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query('SELECT FROM public.contribution LIMIT 1');
  return rows.length > 0;
}
