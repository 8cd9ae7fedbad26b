import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { buildIndex } from '../../../migrations/build-index.js';
import { holdLock } from '../../../test/support/held-lock.js';
import { countLockWaits } from '../../../test/support/lock-waits.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.js';
import { until } from '../../../test/support/until.js';
import { runMigrations } from './run-migrations.js';

class AddsColumn9001 implements MigrationInterface {
  readonly name = 'AddsColumn9000000009001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE fund ADD COLUMN code text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE fund DROP COLUMN code');
  }
}

class BuildsIndex9002 implements MigrationInterface {
  readonly name = 'BuildsIndex9000000009002';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(runner, 'contribution_notes_once', 'contribution (notes)', { unique: true });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX contribution_notes_once');
  }
}

/** Comes after a gradual one, and is applied before it. */
class AddsTable9003 implements MigrationInterface {
  readonly name = 'AddsTable9000000009003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE example (id integer)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE example');
  }
}

const GRADUAL = 'BuildsIndex9000000009002';

let database: TestDatabase;
let dataSource: DataSource;
beforeEach(async () => {
  database = await createTestDatabase();
  dataSource = await new DataSource({
    type: 'postgres',
    url: database.url,
    migrations: [AddsColumn9001, BuildsIndex9002, AddsTable9003],
    extra: { max: 1 },
  }).initialize();
  await database.query(
    `INSERT INTO person (first_name, last_name, email, phone) VALUES ('Ann', 'Lee', 'a@example.org', 'n/a')`,
  );
  await database.query(`INSERT INTO app_user (username, password_hash) VALUES ('api', 'x')`);
  await database.query('INSERT INTO bundle (bundle_type_id, user_id, day) SELECT 4, id, current_date FROM app_user');
});
afterEach(async () => {
  await dataSource.destroy();
  await database.drop();
});

const INSERT_GIFT = `
  INSERT INTO contribution (person_id, amount, currency, given_at, day, fund_id, bundle_id, contribution_type_id, notes,
    giver_first, giver_last, giver_email, giver_phone, created_by)
  SELECT p.id, 10, 'USD', now(), b.day, 1, b.id, 1, $1, 'Ann', 'Lee', 'a@example.org', 'n/a', b.user_id FROM bundle b, person p`;

/** Runs the pending migrations. @returns their names: those that were finished together, and those that were recorded alone. */
async function run(): Promise<{ together: readonly string[]; alone: readonly string[] }> {
  const alone: string[] = [];
  const { finished, gradual } = await runMigrations(dataSource, {
    finish: (_runner, applied) => Promise.resolve(applied),
    record: (_runner, applied) => Promise.resolve(void alone.push(...applied)),
  });
  expect(gradual).toEqual(alone);
  return { together: finished, alone };
}

const recorded = async (): Promise<string[]> =>
  (
    await database.query<{ name: string }>('SELECT name FROM migrations WHERE name LIKE $1 ORDER BY id', [
      '%9000000009%',
    ])
  ).map(({ name }) => name);

const indexIsValid = (): Promise<{ valid: boolean }[]> =>
  database.query(`SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass('contribution_notes_once')`);

describe('runMigrations', () => {
  it('applies the quick migrations together and then the gradual ones, each once', async () => {
    expect(await run()).toEqual({ together: ['AddsColumn9000000009001', 'AddsTable9000000009003'], alone: [GRADUAL] });
    expect(await recorded()).toEqual(['AddsColumn9000000009001', 'AddsTable9000000009003', GRADUAL]);
    expect(await indexIsValid()).toEqual([{ valid: true }]);
    expect(await run()).toEqual({ together: [], alone: [] });
  });

  it('lets gifts pass while a gradual migration waits for an older transaction', async () => {
    await dataSource.query('ALTER TABLE fund ADD COLUMN code text');
    const older = await holdLock(database.url, INSERT_GIFT, ['older']);
    dataSource.migrations.splice(0, 1);
    dataSource.migrations.splice(1, 1);
    const running = run();
    await until(async () => (await countLockWaits(database)) === 1);
    await database.query(INSERT_GIFT, ['meanwhile']);
    expect(await recorded()).toEqual([]);
    await older.release();
    expect(await running).toEqual({ together: [], alone: [GRADUAL] });
    expect(await indexIsValid()).toEqual([{ valid: true }]);
  });

  it('repeats a gradual migration that failed, and keeps the quick ones', async () => {
    await database.query(INSERT_GIFT, ['twice']);
    await database.query(INSERT_GIFT, ['twice']);
    await expect(run()).rejects.toThrow('could not create unique index');
    expect(await recorded()).toEqual(['AddsColumn9000000009001', 'AddsTable9000000009003']);
    expect(await indexIsValid()).toEqual([{ valid: false }]);

    await database.query(`UPDATE contribution SET notes = id::text`);
    expect(await run()).toEqual({ together: [], alone: [GRADUAL] });
    expect(await indexIsValid()).toEqual([{ valid: true }]);
  });

  it('only records a gradual migration whose index was built by an attempt that was interrupted afterwards', async () => {
    const client = dataSource.createQueryRunner();
    await buildIndex(client, 'contribution_notes_once', 'contribution (notes)', { unique: true });
    await client.release();
    const [before] = await database.query(`SELECT 'contribution_notes_once'::regclass::oid AS id`);
    expect((await run()).alone).toEqual([GRADUAL]);
    expect(await database.query(`SELECT 'contribution_notes_once'::regclass::oid AS id`)).toEqual([before]);
  });
});
