import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Client } from 'pg';
import { ensureBooksEpoch } from '../../src/database/epochs/ensure-books-epoch.js';
import { migrateDatabase } from '../../src/database/index.js';
import { ENTITIES } from '../../src/parts.js';
import { makeRoles } from '../support/database-roles.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { createTestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';
import { AT_RANDOM, booksOf } from './epochs.js';

let service: TestApp;

beforeEach(async () => {
  service = await startTestApp();
});
afterEach(() => service.stop());

const { page, end, add, epochs, begin, sequences } = booksOf(() => service);

describe('the detection of moved and restored books', () => {
  /** Milliseconds added to the clock, so that each test's refusal is logged. */
  let refusals = 0;
  /** Stores a setting of the database as scripts/restore.sh does. */
  const note = async (setting: string, value: string): Promise<void> => {
    const [row] = await service.database.query<{ name: string }>('SELECT current_database() AS name');
    await service.database.query(`ALTER DATABASE ${row?.name ?? ''} SET offertory.${setting} = '${value}'`);
  };
  const ensure = async (url = service.database.url): Promise<void> => {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      await ensureBooksEpoch(client);
    } finally {
      await client.end();
    }
  };

  it.each([
    ['timeline', '000000FF', /Another server took over/],
    ['server', '1', /restored into another database/],
    ['database', '1', /restored into another database/],
    ['table', '1', /restored into another database/],
    ['files', '1', /files of the database were restored/],
  ])('notices a changed %s, and only one of many connections begins the epoch', async (key, value, reason) => {
    await add();
    await ensure();
    expect(await epochs()).toHaveLength(1);
    await service.database.query(
      'UPDATE books_epoch SET identity = identity || jsonb_build_object($1::text, $2::text)',
      [key, value],
    );
    await Promise.all(Array.from({ length: 8 }, () => ensure()));
    expect(await epochs()).toMatchObject([{}, { number: 2, reason: expect.stringMatching(reason) as unknown }]);
    const trail = `SELECT actor, details ->> 'reason' AS reason FROM audit_entry WHERE action = 'database.new-epoch'`;
    expect(await service.database.query(trail)).toEqual([
      { actor: 'service', reason: expect.stringMatching(reason) as unknown },
    ]);
  });

  it('begins no epoch for a key that is missing on one side, and stores new keys', async () => {
    await add();
    await service.database.query(`UPDATE books_epoch SET identity = identity - 'server' || '{"other": "1"}'`);
    await ensure();
    expect(await epochs()).toMatchObject([{ identity: { other: '1', server: expect.any(String) as unknown } }]);
  });

  it('uses the note of a restore, also in books from before epochs', async () => {
    const gift = await add();
    await service.database.query('UPDATE books_epoch SET identity = NULL');
    await note('restored', '2026-11-29T030000Z');
    await note('ids_above', '{ "contribution_id_seq" : 7000000, "person_id_seq" : 9000000 }');
    await ensure();
    await ensure();
    expect(await epochs()).toMatchObject([{}, { fork_id: gift, first_id: 7_000_001 }]);
    const moved = await sequences();
    expect([moved.get('person_id_seq'), moved.get('contact_id_seq')]).toEqual([9_000_000, expect.any(Number)]);
    expect(moved.get('contact_id_seq')).toBeLessThan(100_010 + AT_RANDOM);
  });

  it('lets an epoch begun by the operator use the note of the restore', async () => {
    await add();
    await ensure();
    await note('restored', '2026-11-29T030000Z');
    await note('ids_above', '{ "contribution_id_seq" : 7000000 }');
    expect((await begin()).first_id).toBe(7_000_001);
    expect((await begin()).first_id).toBeLessThan(7_000_001 + 100_010 + AT_RANDOM);
    await note('restored', '2026-11-30T030000Z');
    expect((await begin(9_500_000)).first_id).toBe(9_500_001);
    await ensure();
    expect(await epochs()).toHaveLength(4);
  });

  it.each([
    ['ids lower than those in the books', '{ "contribution_id_seq" : 0 }'],
    ['no readable ids', '2147483648000'],
  ])('leaves the usual gap when the note of a restore has %s', async (_what, value) => {
    await add();
    await ensure();
    await note('restored', '2026-11-29T030000Z');
    await note('ids_above', value);
    await ensure();
    expect((await epochs())[1]?.first_id).toBeGreaterThan(100_000);
  });

  it.each([
    ['has noted an id above the limit', '{ "contribution_id_seq" : 2147483648000 }', 1],
    ['leaves no room for new ids', '{ "contribution_id_seq" : 0 }', 2_147_483_000],
  ])('refuses a restore that %s, and the log says what to do', async (_what, value, used) => {
    await add();
    await ensure();
    await service.database.query(`SELECT setval('contribution_id_seq', $1)`, [used]);
    await note('restored', '2026-11-29T030000Z');
    await note('ids_above', value);
    const now = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + (refusals += 61_000));
    const logged = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    for (let i = 0; i < 2; i++) await expect(ensure()).rejects.toMatchObject({ code: '2200H' });
    now.mockRestore();
    expect(logged.mock.calls).toEqual([
      [expect.stringMatching(/^No gift can be recorded: The ids of contribution_id_seq have no room.*--ids-above/)],
    ]);
    logged.mockRestore();
  });

  it('leaves a gap in copied files of a version before epochs, and positions stay valid', async () => {
    await add();
    const { change } = await end();
    await service.database.query(`
      UPDATE books_epoch SET identity = NULL;
      CREATE OR REPLACE FUNCTION files_were_copied() RETURNS boolean LANGUAGE sql RETURN true`);
    await ensure();
    const gift = await add();
    expect(gift).toBeGreaterThan(100_000);
    expect((await page(`Contributions?after=${change}`)).contributions).toMatchObject([{ contributionId: gift }]);
    expect(await epochs()).toHaveLength(1);
    await ensure();
    expect(await add()).toBe(gift + 1);
  });

  it('notices books that are replaced under open connections, and none of these gives out an id', async () => {
    const gift = await add();
    // Recreates the table, as pg_restore --clean does.
    await service.database.query(`
      DO $$ DECLARE
        begins text := pg_get_functiondef('begin_books_epoch(text,integer,text)'::regprocedure);
      BEGIN
        DROP FUNCTION begin_books_epoch;
        ALTER TABLE books_epoch RENAME TO replaced;
        CREATE TABLE books_epoch (LIKE replaced INCLUDING DEFAULTS);
        INSERT INTO books_epoch SELECT * FROM replaced;
        DROP TABLE replaced;
        EXECUTE begins;
      END $$`);
    const key = 'replaced';
    await service.add({}).set('Idempotency-Key', key).expect(503);
    await until(async () => (await service.add({}).set('Idempotency-Key', key)).status === 200);
    expect(await epochs()).toMatchObject([{}, { reason: 'The books were restored into another database' }]);
    const { contributions } = await page('Contributions?limit=500');
    expect(contributions).toMatchObject([{ contributionId: gift }, { contributionId: expect.any(Number) as unknown }]);
    expect(contributions[1]?.contributionId).toBeGreaterThan(100_000);
  });

  it('lets a service with restricted rights run the check, but not begin an epoch or move a sequence itself', async () => {
    const database = await createTestDatabase({ empty: true });
    const roles = await makeRoles(database);
    await migrateDatabase(
      { url: roles.ownerUrl },
      { service: { connection: { url: roles.serviceUrl }, entities: ENTITIES } },
    );
    await ensure(roles.serviceUrl);
    await database.query(`UPDATE books_epoch SET identity = identity || '{"timeline": "000000FF"}'`);
    await ensure(roles.serviceUrl);
    expect(await database.query('SELECT FROM books_epoch')).toHaveLength(2);
    const client = new Client({ connectionString: roles.serviceUrl });
    await client.connect();
    for (const statement of [
      `SELECT begin_books_epoch('mine', 1000000, 'me')`,
      `SELECT move_sequences('{"contribution_id_seq": 1000000}')`,
      `SELECT setval('contribution_id_seq', 1000000)`,
      `UPDATE books_epoch SET fork_id = 0`,
    ]) {
      await expect(client.query(statement)).rejects.toThrow(/permission denied/);
    }
    await client.end();
    await database.drop();
    await roles.drop();
  });
});
