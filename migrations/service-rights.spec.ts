import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { SERVICE_RIGHTS } from '../src/database/migrating/service-rights.js';
import { createTestDatabase, type TestDatabase } from '../test/support/test-database.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('every table has its rights stated for the service, and there is no other', async () => {
  const tables = await database.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm') ORDER BY 1`,
  );
  expect(tables.map(({ name }) => name)).toEqual(Object.keys(SERVICE_RIGHTS).sort());
});

it('no amount, no day and no entry of the audit trail is among what the service may change', () => {
  expect(SERVICE_RIGHTS['contribution']).toEqual({ insert: true, update: ['status', 'person_id'] });
  expect(SERVICE_RIGHTS['audit_entry']).not.toHaveProperty('update');
  const deletable = Object.entries(SERVICE_RIGHTS).filter(([, rights]) => rights.delete === true);
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
