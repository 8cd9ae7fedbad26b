import { afterEach, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { DatabaseMode0046 } from '../../migrations/0046-database-mode.js';
import { assertModeOf, migrateDatabase, migrationStatus } from '../../src/database/index.js';
import { ENTITIES } from '../../src/parts.js';
import { type DatabaseRoles, makeRoles } from '../support/database-roles.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const LIVE_BOOKS = /holds the books of the church, but OFFERTORY_MODE is test\. .*set DATA_DIR/;
const TEST_SYSTEM = /belongs to a test system, .*OFFERTORY_MODE is live/;
const USER = `INSERT INTO app_user (username, password_hash) VALUES ('api', 'none')`;

const dropped: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const drop of dropped.splice(0)) await drop();
});

async function newDatabase(options: { empty?: boolean } = {}): Promise<TestDatabase> {
  const database = await createTestDatabase(options);
  dropped.push(() => database.drop());
  return database;
}

async function rolesOf(database: TestDatabase): Promise<DatabaseRoles> {
  const roles = await makeRoles(database);
  dropped.push(() => roles.drop());
  return roles;
}

const recorded = (database: TestDatabase): Promise<unknown> => database.query('SELECT mode FROM database_mode');

/** A migrated database as the release before left it. */
async function databaseBeforeModes(): Promise<TestDatabase> {
  const database = await newDatabase();
  const dataSource = await new DataSource({ type: 'postgres', url: database.url }).initialize();
  const runner = dataSource.createQueryRunner();
  await new DatabaseMode0046().down(runner);
  await runner.query(`DELETE FROM migrations WHERE name = '${new DatabaseMode0046().name}'`);
  await runner.release();
  await dataSource.destroy();
  return database;
}

describe('a new database', () => {
  it.each(['live', 'test'] as const)(
    'records the mode %s with its first start, and is refused in the other one',
    async (mode) => {
      const database = await newDatabase({ empty: true });
      const other = mode === 'live' ? 'test' : 'live';
      await assertModeOf(database.connection, mode);
      await assertModeOf(database.connection, other);
      await migrateDatabase(database.connection, { mode });
      expect(await recorded(database)).toEqual([{ mode }]);
      await assertModeOf(database.connection, mode);
      const reason = mode === 'live' ? LIVE_BOOKS : TEST_SYSTEM;
      await expect(assertModeOf(database.connection, other)).rejects.toThrow(reason);
      await expect(migrateDatabase(database.connection, { mode: other })).rejects.toThrow(reason);
      await migrateDatabase(database.connection, { mode });
      expect(await recorded(database)).toEqual([{ mode }]);
    },
  );

  it('that is migrated without a mode takes that of its first start, while nobody and nothing is in it', async () => {
    const database = await newDatabase();
    expect(await recorded(database)).toEqual([]);
    await migrateDatabase(database.connection, { mode: 'test' });
    expect(await recorded(database)).toEqual([{ mode: 'test' }]);
  });
});

describe('a database that was used before there were modes', () => {
  it('is live, and is not even migrated as a test system', async () => {
    const database = await databaseBeforeModes();
    await database.query(USER);
    await expect(assertModeOf(database.connection, 'test')).rejects.toThrow(LIVE_BOOKS);
    await expect(migrateDatabase(database.connection, { mode: 'test' })).rejects.toThrow(LIVE_BOOKS);
    expect((await migrationStatus(database.connection)).pending).toEqual(['DatabaseMode1764288000046']);
    await assertModeOf(database.connection, 'live');
    await migrateDatabase(database.connection, { mode: 'live' });
    expect(await recorded(database)).toEqual([{ mode: 'live' }]);
  });

  it('becomes a test system if there is no user and no gift in it', async () => {
    const database = await databaseBeforeModes();
    await migrateDatabase(database.connection, { mode: 'test' });
    expect(await recorded(database)).toEqual([{ mode: 'test' }]);
  });
});

it('a database with a user and without a record is live', async () => {
  const database = await newDatabase();
  await database.query(USER);
  await expect(migrateDatabase(database.connection, { mode: 'test' })).rejects.toThrow(LIVE_BOOKS);
  await migrateDatabase(database.connection, { mode: 'live' });
  expect(await recorded(database)).toEqual([{ mode: 'live' }]);
});

it.each([
  `UPDATE database_mode SET mode = 'test'`,
  'DELETE FROM database_mode',
  'TRUNCATE database_mode',
  `SET session_replication_role = replica; UPDATE database_mode SET mode = 'test'`,
  `INSERT INTO database_mode (mode) VALUES ('test')`,
  `INSERT INTO database_mode (only_row, mode) VALUES (false, 'test')`,
])('the record never changes: %s', async (statement) => {
  const database = await newDatabase();
  await migrateDatabase(database.connection, { mode: 'live' });
  await expect(database.query(statement)).rejects.toThrow(/never changes|duplicate key|violates check/);
  expect(await recorded(database)).toEqual([{ mode: 'live' }]);
});

describe('with roles for the owner and the service', () => {
  it('the owner records the mode with the migrations, and the service’s role reads it', async () => {
    const database = await newDatabase();
    const roles = await rolesOf(database);
    const service = { connection: { url: roles.serviceUrl }, entities: ENTITIES };
    await migrateDatabase({ url: roles.ownerUrl }, { mode: 'test', service });
    await migrateDatabase({ url: roles.serviceUrl }, { mode: 'test' });
    await assertModeOf({ url: roles.serviceUrl }, 'test');
    await expect(assertModeOf({ url: roles.serviceUrl }, 'live')).rejects.toThrow(TEST_SYSTEM);
    expect(await recorded(database)).toEqual([{ mode: 'test' }]);
  });

  it('the service’s role cannot make a test system, and a live service needs no record', async () => {
    const database = await newDatabase();
    const roles = await rolesOf(database);
    const service = { connection: { url: roles.serviceUrl }, entities: ENTITIES };
    await migrateDatabase({ url: roles.ownerUrl }, { service });
    await expect(migrateDatabase({ url: roles.serviceUrl }, { mode: 'test' })).rejects.toThrow(
      /only its owner can do that/,
    );
    await migrateDatabase({ url: roles.serviceUrl }, { mode: 'live' });
    expect(await recorded(database)).toEqual([]);
  });
});
