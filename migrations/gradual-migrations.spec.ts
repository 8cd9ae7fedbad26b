import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../test/support/test-database.js';
import { migrations } from './index.js';
import { countRowsWhileLocked, fillLargeTables, LARGE_TABLES, type RowsWhileLocked } from './rows-while-locked.js';

/** Migrations up to this one were written before the rule. */
const LAST_BEFORE_THE_RULE = '0046';
/** A few rows may be read or written: a migration may look up or change something by its id. */
const MOST_ROWS = 10;

let database: TestDatabase;
let dataSource: DataSource;
let runner: QueryRunner;
beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
  dataSource = await new DataSource({ type: 'postgres', url: database.url, extra: { max: 1 } }).initialize();
  runner = dataSource.createQueryRunner();
  const known = migrations.filter(({ name }) => name.slice(-4) <= LAST_BEFORE_THE_RULE);
  for (const Migration of known) await new Migration().up(runner);
  await fillLargeTables(runner);
});
afterAll(async () => {
  await runner.release();
  await dataSource.destroy();
  await database.drop();
});

/** The large tables of which more than a few rows were read or written while gifts had to wait. */
const tooMany = (rows: RowsWhileLocked): string[] => LARGE_TABLES.filter((table) => (rows.get(table) ?? 0) > MOST_ROWS);

describe(`migrations after ${LAST_BEFORE_THE_RULE}`, () => {
  it('never make gifts wait while they read or write a large table', async () => {
    const later = migrations.filter(({ name }) => name.slice(-4) > LAST_BEFORE_THE_RULE);
    const slow: string[] = [];
    for (const Migration of later) {
      const tables = tooMany(await countRowsWhileLocked(runner, new Migration()));
      if (tables.length > 0) slow.push(`${Migration.name}: ${tables.join(', ')}`);
    }
    expect(slow).toEqual([]);
  });
});

describe('the check of migrations', () => {
  const quick = (...statements: readonly string[]): MigrationInterface => ({
    up: async (database) => {
      for (const statement of statements) await database.query(statement);
    },
    down: () => Promise.resolve(),
  });
  const gradual = (...statements: readonly string[]): MigrationInterface => ({
    ...quick(...statements),
    transaction: false,
  });

  it.each([
    ['an index', quick('CREATE INDEX first ON contribution (notes)'), ['contribution']],
    [
      'an index, gradually but not concurrently',
      gradual('CREATE INDEX second ON contribution (notes)'),
      ['contribution'],
    ],
    ['a check of all rows', quick('ALTER TABLE person ADD CONSTRAINT checked CHECK (id > 0)'), ['person']],
    [
      'NOT NULL without a check',
      quick('ALTER TABLE contribution ALTER COLUMN giver_first SET NOT NULL'),
      ['contribution'],
    ],
    ['a new form of all rows', quick('ALTER TABLE person ALTER COLUMN address TYPE varchar(99)'), ['person']],
    ['a default for each row', quick('ALTER TABLE payment ADD COLUMN u uuid DEFAULT gen_random_uuid()'), ['payment']],
    [
      'a foreign key that is checked at once',
      quick('ALTER TABLE payment ADD COLUMN f integer, ADD CONSTRAINT c FOREIGN KEY (f) REFERENCES fund (id)'),
      ['payment'],
    ],
    ['an update of all rows', quick(`UPDATE payment SET method = 'card'`), ['payment']],
    ['a gradual update of all rows', gradual(`UPDATE payment SET method = 'card'`), ['payment']],
  ] as const)('finds %s', async (_what, migration, tables) => {
    expect(tooMany(await countRowsWhileLocked(runner, migration))).toEqual(tables);
  });

  it.each([
    ['a column', quick(`ALTER TABLE contribution ADD COLUMN c text NOT NULL DEFAULT 'x'`)],
    ['a constraint for new rows', quick('ALTER TABLE person ADD CONSTRAINT checked_later CHECK (id > 0) NOT VALID')],
    [
      'NOT NULL after a check that is valid',
      gradual(
        'ALTER TABLE contribution ADD CONSTRAINT source_there CHECK (source IS NOT NULL) NOT VALID',
        'ALTER TABLE contribution VALIDATE CONSTRAINT source_there',
        'ALTER TABLE contribution ALTER COLUMN source SET NOT NULL',
      ),
    ],
    ['an index that is built concurrently', gradual('CREATE INDEX CONCURRENTLY third ON contribution (notes)')],
    ['a row that is changed by its id', quick(`UPDATE payment SET method = 'card' WHERE id = 7`)],
    ['a new table', quick('CREATE TABLE t (p integer REFERENCES payment (id)); CREATE INDEX i ON t (p)')],
    ['a trigger', quick(`CREATE TRIGGER t BEFORE UPDATE ON payment FOR EACH ROW EXECUTE FUNCTION keep_payment_sum()`)],
  ] as const)('accepts %s', async (_what, migration) => {
    expect(tooMany(await countRowsWhileLocked(runner, migration))).toEqual([]);
  });
});
