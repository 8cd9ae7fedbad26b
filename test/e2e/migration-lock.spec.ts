import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { migrateDatabase } from '../../src/database/index.js';
import { lockMigrations } from '../../src/database/migrating/migration-lock.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const ignore = (): void => undefined;

it('the lock waits for another process that migrates, names it, and gives up in time', async () => {
  const lines: string[] = [];
  const first = await lockMigrations(database.connection, ignore);
  const waited = lockMigrations(database.connection, (line) => lines.push(line), 1_500);
  await expect(waited).rejects.toThrow(
    /^Another process has been migrating the database for 2 s: process \d+ .*"offertory migrate"/,
  );
  expect(lines).toEqual([
    expect.stringMatching(
      /^Waiting for another process that migrates the database: process \d+ of the database server, application "offertory migrate"/,
    ),
  ]);
  const second = lockMigrations(database.connection, ignore);
  await first.release();
  await (await second).release();
});

it('the lock belongs to a transaction and is free once a migration has ended', async () => {
  const lock = await lockMigrations(database.connection, ignore);
  const held = await database.query(`
    SELECT state FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE locktype = 'advisory' AND objid = 7236512 AND pg_locks.database = (SELECT oid FROM pg_database WHERE datname = current_database())`);
  expect(held).toEqual([{ state: 'idle in transaction' }]);
  await lock.release();
  expect((await migrateDatabase(database.connection)).applied).toEqual([]);
  await (await lockMigrations(database.connection, ignore, 0)).release();
});

it('the lock is the one that earlier versions take for a session', async () => {
  const lock = await lockMigrations(database.connection, ignore);
  expect(await database.query('SELECT pg_try_advisory_lock(7236512) AS taken')).toEqual([{ taken: false }]);
  await lock.release();
});
