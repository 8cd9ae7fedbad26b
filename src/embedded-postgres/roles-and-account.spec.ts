import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { type EmbeddedDatabase, openEmbeddedDatabase } from './embedded-database.js';

/** The container of the tests may lack useradd(8). */
const canCreateAccounts = process.geteuid?.() === 0 && existsSync('/usr/sbin/useradd');
const NOBODY = 65_534;

let root: string;
let dataDir: string;
let log: string[];
const opened = new Set<EmbeddedDatabase>();

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'offertory-roles-'));
  await chmod(root, 0o755);
  dataDir = join(root, 'data');
});
afterEach(async () => {
  for (const database of opened) await database.close();
  opened.clear();
  await rm(root, { recursive: true, force: true });
});

async function open(): Promise<EmbeddedDatabase> {
  log = [];
  const database = await openEmbeddedDatabase({ dataDir, log: (line) => log.push(line) });
  opened.add(database);
  return database;
}

async function query(database: EmbeddedDatabase, sql: string): Promise<unknown[]> {
  const client = new Client({ ...database.ownerConnection, ssl: false });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('the embedded database', () => {
  it('lets the service connect in a role without rights, also in a data directory of a version without that role', async () => {
    for (const version of ['this', 'before']) {
      const database = await open();
      expect(database.connection.user).toBe('offertory_service');
      if (version === 'before') {
        await query(database, 'GRANT TEMPORARY ON DATABASE offertory TO PUBLIC; DROP OWNED BY offertory_service');
        await query(database, 'DROP ROLE offertory_service');
        await database.close();
      }
      const converted = version === 'this' ? database : await open();
      const service = new Client({ ...converted.connection, ssl: false });
      await service.connect();
      for (const statement of [
        `COPY (SELECT 1) TO PROGRAM 'cat >/dev/null'`,
        'CREATE TABLE mine (id integer)',
        'CREATE TEMPORARY TABLE mine (id integer)',
        'CREATE SCHEMA mine',
        'CREATE ROLE mine',
        'ALTER ROLE offertory_service SUPERUSER',
        'SET ROLE postgres',
      ])
        await expect(service.query(statement)).rejects.toMatchObject({ code: '42501' });
      await service.end();
      const elsewhere = new Client({ ...converted.connection, database: 'postgres', ssl: false });
      await expect(elsewhere.connect()).rejects.toMatchObject({ code: '42501' });
      await converted.close();
    }
  });

  (canCreateAccounts ? it : it.skip)(
    'runs as an account of its own for root, also a cluster that an earlier version gave to nobody',
    async () => {
      const account = (): number => Number(execFileSync('id', ['-u', 'offertory-db'], { encoding: 'utf8' }));
      const owners = async (): Promise<unknown> =>
        Promise.all(
          ['database', 'database/PG_VERSION', 'run', 'log', 'log/postgresql.log'].map(
            async (name) => (await stat(join(dataDir, name))).uid,
          ),
        );
      const files = `(SELECT extract(epoch FROM change)::bigint::text FROM pg_stat_file('PG_VERSION'))`;
      const first = await open();
      expect(await owners()).toEqual(Array(5).fill(account()));
      await query(first, `CREATE TABLE books_epoch (number integer, identity jsonb)`);
      await query(first, `INSERT INTO books_epoch VALUES (1, '{}')`);
      await first.close();

      // Whether the files were unchanged since the books last looked, or restored.
      for (const isKnown of [true, false]) {
        execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, dataDir]);
        const before = await open();
        expect(await owners()).toEqual(Array(5).fill(NOBODY));
        await query(
          before,
          `UPDATE books_epoch SET identity = jsonb_build_object('files', ${isKnown ? files : `'1'`})`,
        );
        await before.close();
        await delay(1_100);
        // As root creates it.
        await chown(dataDir, 0, 0);
        const converted = await open();
        expect(log[0]).toContain('to the user offertory-db');
        expect(await owners()).toEqual(Array(5).fill(account()));
        expect(await query(converted, `SELECT identity ->> 'files' = ${files} AS known FROM books_epoch`)).toEqual([
          { known: isKnown },
        ]);
        await converted.close();
      }
    },
  );
});
