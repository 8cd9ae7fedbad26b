import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { migrateDatabase } from '../src/database/index.js';
import { createTestDatabase, type TestDatabase } from '../test/support/test-database.js';
import { undoMigrations } from '../test/support/undo-migrations.js';
import { migrations } from './index.js';

/** More rows than PostgreSQL's lock table has room for, if each row took one lock. */
const MANY = 30_000;

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
  // Only migrateDatabase creates the schema of the queue, which an earlier migration needs.
  await migrateDatabase(database.connection);
  const later = migrations.filter(({ name }) => name.slice(-4) > '0004').length;
  await undoMigrations(database.url, later);
  await database.query(`
    INSERT INTO person (first_name, last_name, email, phone,
      first_name_folded, last_name_folded, email_folded, phone_folded)
    VALUES ('Ann', 'Lee', 'Ann@example.org', '901-489-0611', 'ann', 'lee', 'ann@example.org', '+19014890611'),
           ('Bob', 'Lee', 'Ann@example.org', 'n/a', 'bob', 'lee', 'ann@example.org', NULL),
           ('-', 'Lee', 'dash@example.org', 'n/a', NULL, 'lee', 'dash@example.org', NULL)`);
  await database.query(`
    INSERT INTO person (first_name, last_name, email, phone,
      first_name_folded, last_name_folded, email_folded, phone_folded)
    SELECT 'N' || n, 'Many', n || '@example.org', 'n/a', 'n' || n, 'many', n || '@example.org', NULL
    FROM generate_series(1, ${MANY}) n`);
  await database.query(`
    INSERT INTO app_user (username, password_hash) VALUES ('api', 'x');
    INSERT INTO bundle (bundle_type_id, user_id, day) SELECT 4, id, '2026-01-01' FROM app_user;
    INSERT INTO contribution (person_id, amount, currency, given_at, day, fund_id, bundle_id, contribution_type_id,
      giver_first, giver_last, giver_email, giver_phone, created_by)
    SELECT 1, 10, 'USD', now(), '2026-01-01', 1, bundle.id, 1, 'Ann', 'Lee', 'a@example.org', 'n/a', user_id FROM bundle`);
  await migrateDatabase(database.connection);
});
afterAll(() => database.drop());

describe('persons and gifts from before there were contacts', () => {
  it('get their usable e-mails and phones as confirmed contacts', async () => {
    expect(
      await database.query(
        'SELECT person_id AS id, kind, value, folded, confirmed FROM contact WHERE person_id <= 3 ORDER BY 1, 2',
      ),
    ).toEqual([
      { id: 1, kind: 'email', value: 'Ann@example.org', folded: 'ann@example.org', confirmed: true },
      { id: 1, kind: 'phone', value: '901-489-0611', folded: '+19014890611', confirmed: true },
      { id: 2, kind: 'email', value: 'Ann@example.org', folded: 'ann@example.org', confirmed: true },
      { id: 3, kind: 'email', value: 'dash@example.org', folded: 'dash@example.org', confirmed: true },
    ]);
  });

  it('can be matched by these contacts', async () => {
    expect(
      await database.query(
        `SELECT person_id AS id, kind, contact, last_name AS last, first_name AS first FROM match_key
         WHERE person_id <= 3 ORDER BY 1, 2`,
      ),
    ).toEqual([
      { id: 1, kind: 'email', contact: 'ann@example.org', last: 'lee', first: 'ann' },
      { id: 1, kind: 'phone', contact: '+19014890611', last: 'lee', first: 'ann' },
      { id: 2, kind: 'email', contact: 'ann@example.org', last: 'lee', first: 'bob' },
      // No gift matches an empty first name, but the person is found as similar.
      { id: 3, kind: 'email', contact: 'dash@example.org', last: 'lee', first: '' },
    ]);
  });

  it('can be matched in any number', async () => {
    const count = 'SELECT count(*)::int AS count FROM';
    expect(await database.query(`${count} match_key WHERE last_name = 'many'`)).toEqual([{ count: MANY }]);
  });

  it('have no data about matching and no reviews', async () => {
    expect(await database.query('SELECT matched_by, matched_on, other_matches FROM contribution')).toEqual([
      { matched_by: null, matched_on: null, other_matches: null },
    ]);
    expect(await database.query('SELECT 1 FROM review')).toEqual([]);
  });
});
