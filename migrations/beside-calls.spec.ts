import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Client } from 'pg';
import type { MigrationInterface } from 'typeorm';
import { migrateDatabase } from '../src/database/index.js';
import { createTestDatabase, type TestDatabase } from '../test/support/test-database.js';
import { undoMigrations } from '../test/support/undo-migrations.js';
import { until } from '../test/support/until.js';
import { migrations } from './index.js';

/** The last quick migration, which locks all tables, and the gradual ones after it. */
const undone = migrations.slice(
  migrations.findLastIndex((Migration) => (new Migration() as MigrationInterface).transaction !== false),
);

let database: TestDatabase;
let call: Client;

beforeEach(async () => {
  database = await createTestDatabase();
  await undoMigrations(database.url, undone.length);
  call = new Client({ connectionString: database.url });
  await call.connect();
});
afterEach(async () => {
  await call.end();
  await database.drop();
});

/** Whether the migration waits for a table that the call has locked. */
const isWaiting = async (): Promise<boolean> =>
  (
    await database.query(`SELECT 1 FROM pg_locks WHERE NOT granted AND database = (
    SELECT oid FROM pg_database WHERE datname = current_database())`)
  ).length > 0;

it.each([
  ['idempotency_key', 'contribution'],
  ['contribution', 'idempotency_key'],
  ['person', 'app_user'],
  ['review', 'bundle'],
])('a migration waits for a call that has locked %s and does not block its next lock on %s', async (has, wants) => {
  await call.query('BEGIN');
  await call.query(`LOCK TABLE ${has} IN ROW EXCLUSIVE MODE`);
  const migrated = migrateDatabase(database.connection);
  await until(isWaiting);
  // Longer than the time after which PostgreSQL checks for deadlocks and would cancel one of the two.
  await call.query('SELECT pg_sleep(1.2)');
  await call.query(`LOCK TABLE ${wants} IN ROW EXCLUSIVE MODE`);
  await call.query('COMMIT');
  expect((await migrated).applied).toHaveLength(undone.length);
});
