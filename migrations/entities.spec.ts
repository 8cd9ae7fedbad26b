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
 * What the schema builder would do and must not. Constraints and indexes are written in migrations alone: checks, partial
 * indexes and the names that errors are mapped by cannot all be said in decorators, and each rule has one place. So it
 * would drop all of them, and make those of the one relation, users and roles, again under its own names.
 */
const CONSTRAINTS_AND_INDEXES = [
  /^ALTER TABLE "\w+" DROP CONSTRAINT "\w+"$/,
  /^DROP INDEX "public"\."\w+"$/,
  /^CREATE INDEX "IDX_\w+" ON "app_user_role" /,
  /^ALTER TABLE "app_user_role" ADD CONSTRAINT "FK_\w+" FOREIGN KEY/,
];

it('TypeORM’s schema builder finds no table and no column to change in a migrated database', async () => {
  const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
  const statements = upQueries.map(({ query }) => query);
  const changes = statements.filter((statement) => !CONSTRAINTS_AND_INDEXES.some((known) => known.test(statement)));
  expect(changes).toEqual([]);
  // Primary keys are said by the entities as well.
  expect(statements.filter((statement) => /DROP CONSTRAINT "\w+_pkey"/.test(statement))).toEqual([]);
});

it('every table has an entity, but for one of TypeORM’s own and one without a key', async () => {
  const tables = await database.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') ORDER BY 1`,
  );
  const mapped = new Set(dataSource.entityMetadatas.map(({ tableName }) => tableName));
  const unmapped = tables.map(({ name }) => name).filter((name) => !mapped.has(name));
  expect(unmapped).toEqual(['dry_run', 'migrations']);
});
