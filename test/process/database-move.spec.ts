import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { migrateDatabase, migrationStatus } from '../../src/database/index.js';
import { ENTITIES } from '../../src/parts.js';
import { assertEqualChecksums, readChecksums } from '../../src/database-move/checksums.js';
import { openMoveSession } from '../../src/database-move/move-session.js';
import { movedTables } from '../../src/database-move/moved-tables.js';
import { makeRoles } from '../support/database-roles.js';
import { holdLock } from '../support/held-lock.js';
import { createApiUser, type Outcome, runProgram } from '../support/service-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';

/** A database in use, with one user, and an empty one. */
let used: TestDatabase;
let empty: TestDatabase;

const move = (source: TestDatabase, url: string): Promise<Outcome> =>
  runProgram('cli', ['database', 'move', url], { DATABASE_URL: source.url });

async function expectRefused(outcome: Promise<Outcome>, reason: RegExp): Promise<void> {
  const { code, stdout, stderr } = await outcome;
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(reason);
  expect(stderr).not.toMatch(/\bat .*:\d+:\d+/);
}

beforeAll(async () => {
  [used, empty] = [await createTestDatabase(), await createTestDatabase({ empty: true })];
  await createApiUser({ DATABASE_URL: used.url }, 'nobody moves without a reason');
});
afterAll(async () => {
  await used.drop();
  await empty.drop();
});

describe('offertory database move refuses and changes nothing, for', () => {
  it('an invalid or unreachable URL of the new database, without printing its password', async () => {
    const unfit = [
      move(used, 'mysql://offertory:not-to-be-told@127.0.0.1/offertory'),
      move(used, 'postgres://offertory:not-to-be-told@127.0.0.1/offertory?options=-c%20jit%3Doff'),
    ] as const;
    await expectRefused(unfit[0], /URL of the new database must be a URL that starts with postgres:/);
    await expectRefused(unfit[1], /URL of the new database must be without options/);
    const nowhere = move(used, 'postgres://offertory:not-to-be-told@127.0.0.1:1/offertory');
    await expectRefused(nowhere, /postgres:\/\/offertory@127\.0\.0\.1:1\/offertory cannot be used: .*ECONNREFUSED/);
    for (const { stderr } of await Promise.all([...unfit, nowhere])) expect(stderr).not.toContain('not-to-be-told');
  });

  it('a database without books, and one that is not migrated to this version', async () => {
    await expectRefused(move(empty, used.url), /nothing to move/);
    const old = await createTestDatabase();
    await old.query('DELETE FROM migrations WHERE id = (SELECT max(id) FROM migrations)');
    await expectRefused(move(old, empty.url), /lacks 1 migrations\. Run first: offertory database migrate/);
    await old.drop();
  });

  it('a new database that is in use, which it does not migrate', async () => {
    await expectRefused(move(used, used.url), /new database is in use: there are rows in its table app_user/);
    const foreign = await createTestDatabase({ empty: true });
    await foreign.query('CREATE TABLE invoice AS SELECT 1 AS id');
    await expectRefused(move(used, foreign.url), /rows in its table invoice/);
    expect((await migrationStatus(foreign.connection)).applied).toEqual([]);
    await foreign.drop();
  });

  it('a role that does not own the tables, and names the URL that is needed', async () => {
    const [books, target] = [await createTestDatabase(), await createTestDatabase({ empty: true })];
    const [ofBooks, ofTarget] = [await makeRoles(books), await makeRoles(target)];
    await migrateDatabase(
      { url: ofBooks.ownerUrl },
      { service: { connection: { url: ofBooks.serviceUrl }, entities: ENTITIES } },
    );
    const reason = /permission denied.*needs the owner.*MIGRATION_DATABASE_URL.*owner of the new one in its URL/;
    const from = (variables: Record<string, string>, url: string): Promise<Outcome> =>
      runProgram('cli', ['database', 'move', url], variables);
    const service = { DATABASE_URL: ofBooks.serviceUrl };
    await expectRefused(from(service, ofTarget.ownerUrl), reason);
    const both = { ...service, MIGRATION_DATABASE_URL: ofBooks.ownerUrl };
    await expectRefused(from(both, ofTarget.serviceUrl), reason);
    expect(await from(both, ofTarget.ownerUrl)).toMatchObject({ code: 0 });
    for (const database of [books, target]) await database.drop();
    for (const roles of [ofBooks, ofTarget]) await roles.drop();
  });

  it('a database to which a service is connected', async () => {
    for (const database of [used, empty]) {
      const service = new Client({ connectionString: database.url, application_name: 'offertory jobs' });
      await service.connect();
      await expectRefused(move(used, empty.url), /is in use\. Stop the service that runs on it/);
      await service.end();
    }
    expect(await empty.query('SELECT FROM app_user')).toEqual([]);
  });

  it('a database to which a service connects during the move', async () => {
    const lock = await holdLock(empty.url, 'LOCK TABLE person IN SHARE MODE', []);
    const moved = move(used, empty.url);
    await until(async () => {
      const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database()
        AND application_name = 'offertory move' AND wait_event_type = 'Lock'`;
      return (await empty.query(waiting)).length === 1;
    });
    const service = new Client({ connectionString: used.url, application_name: 'offertory' });
    await service.connect();
    await lock.release();
    await expectRefused(moved, /100 %.*comparing[^]*The database that is to be moved is in use/);
    await service.end();
    expect(await empty.query('SELECT FROM app_user')).toEqual([]);
  });

  it('a database with tables of another program', async () => {
    await used.query('CREATE TABLE pledge_card (id integer)');
    await expectRefused(move(used, empty.url), /other tables: table pledge_card \(id\)/);
    await used.query('DROP TABLE pledge_card');
  });

  it('a copy that differs from its source', async () => {
    const [here, there] = [await openMoveSession(used.connection), await openMoveSession(empty.connection)];
    const tables = await movedTables(here);
    const before = await readChecksums(here, tables);
    await there.query(`INSERT INTO app_user (username, password_hash) VALUES ('api', 'another one')`);
    await there.query(`UPDATE fund SET name = 'general'`);
    const after = await readChecksums(there, tables);
    expect(() => {
      assertEqualChecksums(before, after);
    }).toThrow(
      /nothing was moved: the content of app_user, .*the content of fund, the number of rows in app_user_role/,
    );
    expect(await readChecksums(here, tables)).toEqual(before);
    await there.query('DELETE FROM app_user');
    await there.query(`UPDATE fund SET name = 'General'`);
    await here.end();
    await there.end();
  });
});

it('offertory database move copies one PostgreSQL database to another, over the rows of a newly started service', async () => {
  await empty.query(`INSERT INTO folding (version, country) VALUES (1, 'US')`);
  const { code, stdout, stderr } = await move(used, empty.url);
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringMatching(/app_user +1\n/) });
  expect(stderr).toContain('Nothing prevents a service from starting on it');
  expect(await empty.query('SELECT * FROM app_user')).toEqual(await used.query('SELECT * FROM app_user'));
  expect(await empty.query('SELECT * FROM folding')).toEqual(await used.query('SELECT * FROM folding'));
  const { username, host, pathname, search } = new URL(used.url);
  const trail = `SELECT action, details FROM audit_entry WHERE action = 'database.move'`;
  expect(await empty.query(trail)).toEqual([
    {
      action: 'database.move',
      details: {
        from: `postgres://${username}@${host}${pathname}${decodeURIComponent(search)}`,
        rows: expect.any(Number),
      },
    },
  ]);
  expect(await used.query(trail)).toEqual([]);
});
