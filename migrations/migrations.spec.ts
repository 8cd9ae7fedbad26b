import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource, type MigrationInterface } from 'typeorm';
import { migrateDatabase, migrationStatus } from '../src/database/index.js';
import { createTestDatabase, type TestDatabase } from '../test/support/test-database.js';
import { undoMigrations } from '../test/support/undo-migrations.js';
import { migrations } from './index.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
});
afterAll(() => database.drop());

function migrationNamed(number: string): MigrationInterface {
  const Migration = migrations.find(({ name }) => name.endsWith(number));
  if (Migration === undefined) throw new Error(`There is no migration ${number}`);
  return new Migration();
}

/** All parts of the schema, as text. */
async function schema(): Promise<object> {
  return {
    columns: await database.query(
      `SELECT table_name, column_name, data_type, is_nullable, column_default FROM information_schema.columns
       WHERE table_schema = 'public' AND table_name <> 'migrations' ORDER BY 1, 2`,
    ),
    constraints: await database.query(
      `SELECT conrelid::regclass::text AS table, conname, pg_get_constraintdef(oid) AS definition FROM pg_constraint
       WHERE connamespace = 'public'::regnamespace AND conrelid <> 'migrations'::regclass ORDER BY 1, 2`,
    ),
    indexes: await database.query(`SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1`),
    queues: await database.query('SELECT name FROM pgboss.queue ORDER BY 1'),
  };
}

describe('migrations', () => {
  it('are listed in the order of their files, each file once', () => {
    const files = readdirSync(new URL('.', import.meta.url)).filter((name) => /^\d{4}-.*\.ts$/.test(name));
    expect(migrations.map(({ name }) => name.slice(-4))).toEqual(files.sort().map((file) => file.slice(0, 4)));
  });

  it('can be applied, all reverted, and applied again to the same schema', async () => {
    const all = (await migrationStatus(database.connection)).pending;
    expect(await migrateDatabase(database.connection)).toMatchObject({ applied: all });
    const first = await schema();

    await undoMigrations(database.url, migrations.length);
    expect(await schema()).toEqual({ columns: [], constraints: [], indexes: [expect.anything()], queues: [] });

    expect(await migrateDatabase(database.connection)).toMatchObject({ applied: all });
    expect(await schema()).toEqual(first);
  });

  it('that added a column to sealed entries are not reverted', async () => {
    await database.query(`
      INSERT INTO audit_entry (actor, via, action, subject) VALUES ('api', 'api', 'bundle.close', 'bundle 1');
      INSERT INTO audit_seal SELECT 1, now(), id, id, ARRAY[id], sha256(''), sha256('a'), sha256('b') FROM audit_entry LIMIT 1`);
    const dataSource = await new DataSource({ type: 'postgres', url: database.url, migrations }).initialize();
    const runner = dataSource.createQueryRunner();
    try {
      await runner.startTransaction();
      for (const name of ['0028', '0027']) await migrationNamed(name).down(runner);
      await expect(migrationNamed('0026').down(runner)).rejects.toThrow(
        'This migration cannot be reverted, because entries of the audit trail are sealed',
      );
    } finally {
      await runner.rollbackTransaction();
      await runner.release();
      await dataSource.destroy();
    }
  });

  it('that keeps former names of funds is not reverted once a fund was renamed', async () => {
    await database.query(`INSERT INTO fund_former_name (fund_id, name) VALUES (1, 'Common')`);
    const dataSource = await new DataSource({ type: 'postgres', url: database.url }).initialize();
    const runner = dataSource.createQueryRunner();
    await expect(migrationNamed('0032').down(runner)).rejects.toThrow('A fund was renamed');
    await runner.release();
    await dataSource.destroy();
    expect(await database.query('SELECT name FROM fund_former_name')).toEqual([{ name: 'Common' }]);
    await database.query('DELETE FROM fund_former_name');
  });

  it('insert the reference data of the contract', async () => {
    const rows = async (sql: string): Promise<unknown[]> =>
      (await database.query<{ row: unknown }>(sql)).map(({ row }) => row);
    expect(await rows(`SELECT id || ' ' || name AS row FROM contribution_type ORDER BY id`)).toEqual([
      '1 Regular',
      '5 Online',
      '7 Reversed',
      '8 Pledge',
      '9 NonTaxDed',
      '10 Gift In Kind',
      '20 Stock',
    ]);
    expect(await rows(`SELECT id || ' ' || name AS row FROM bundle_type ORDER BY id`)).toEqual([
      '1 Generic Envelopes',
      '2 Loose Checks and Cash',
      '3 Preprinted Envelopes',
      '4 Online',
      '5 Online Pledge',
      '6 Pledge',
      '20 Mission Trip',
      '30 Gifts In Kind',
      '32 Stock',
    ]);
    expect(await rows(`SELECT id || ' ' || name || ' ' || is_default AS row FROM fund`)).toEqual(['1 General true']);
    expect(await rows(`SELECT name AS row FROM role ORDER BY 1`)).toEqual([
      'APIOnly',
      'APIWrite',
      'Auditor',
      'Developer',
      'Finance',
    ]);
  });
});
