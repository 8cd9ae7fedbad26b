import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { rightsByTable } from '../src/database/migrating/service-rights.js';
import { ENTITIES } from '../src/parts.js';
import { createTestDatabase, type TestDatabase } from '../test/support/test-database.js';

const RIGHTS = rightsByTable(ENTITIES);

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('the rights of the service are declared for every table and nothing else', async () => {
  const tables = await database.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm') ORDER BY 1`,
  );
  expect(tables.map(({ name }) => name)).toEqual(Object.keys(RIGHTS).sort());
});

it('the service may not change amounts, days and entries of the audit trail', () => {
  expect(RIGHTS['contribution']).toEqual({ insert: true, update: ['status', 'person_id'] });
  expect(RIGHTS['audit_entry']).not.toHaveProperty('update');
  const deletable = Object.entries(RIGHTS).filter(([, rights]) => rights.delete === true);
  expect(deletable.map(([table]) => table).sort()).toEqual([
    'app_user_role',
    'contact',
    'idempotency_key',
    'job',
    'login_failure',
    'match_key',
    'person_to_fold',
    'verified_login',
  ]);
});
