import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../src/database/sessions/connection.js';
import { ENTITIES } from '../src/parts.js';
import { createTestDatabase, type TestDatabase } from '../test/support/test-database.js';

let database: TestDatabase;
let dataSource: DataSource;

beforeAll(async () => {
  database = await createTestDatabase();
  dataSource = new DataSource({ ...dataSourceOptions({ url: database.url }, 1), entities: [...ENTITIES] });
  await dataSource.initialize();
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

/**
 * The changes of constraints and indexes that the schema builder suggests, and that must not be made. Only migrations
 * define them, because decorators cannot express all checks, partial indexes and the names by which errors are mapped.
 * So the builder would drop all of them, and create those of the one relation, users and roles, under its own names.
 */
const CONSTRAINTS_AND_INDEXES = [
  /^ALTER TABLE "\w+" DROP CONSTRAINT "\w+"$/,
  /^DROP INDEX "public"\."\w+"$/,
  /^CREATE INDEX "IDX_\w+" ON "app_user_role" /,
  /^ALTER TABLE "app_user_role" ADD CONSTRAINT "FK_\w+" FOREIGN KEY/,
];

it('TypeORM’s schema builder suggests no change of tables or columns in a migrated database', async () => {
  const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
  const statements = upQueries.map(({ query }) => query);
  const changes = statements.filter((statement) => !CONSTRAINTS_AND_INDEXES.some((known) => known.test(statement)));
  expect(changes).toEqual([]);
  // The entities declare primary keys as well.
  expect(statements.filter((statement) => /DROP CONSTRAINT "\w+_pkey"/.test(statement))).toEqual([]);
});

it('every table has an entity, except one of TypeORM and one without a key', async () => {
  const tables = await database.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') ORDER BY 1`,
  );
  const mapped = new Set(dataSource.entityMetadatas.map(({ tableName }) => tableName));
  const unmapped = tables.map(({ name }) => name).filter((name) => !mapped.has(name));
  expect(unmapped).toEqual(['dry_run', 'migrations']);
});
