import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { fateByTable } from '../src/database/reset/after-test-reset.js';
import { ENTITIES } from '../src/parts.js';
import { createTestDatabase, type TestDatabase } from '../test/support/test-database.js';

const FATES = fateByTable(ENTITIES);

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('every table says what a reset of a test system does with its rows', async () => {
  const tables = await database.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') ORDER BY 1`,
  );
  expect(tables.map(({ name }) => name)).toEqual([...FATES.keys()].sort());
});

it('an entity that does not say so is refused', () => {
  class Undecided {
    id = 0;
  }
  expect(() => fateByTable([Undecided])).toThrow('Undecided needs @AfterTestReset');
});

it('access, funds, webhook endpoints and the audit trail are kept, and all other tables are emptied', () => {
  const kept = [...FATES].filter(([, fate]) => fate === 'kept').map(([table]) => table);
  expect(kept.sort()).toEqual([
    ...['api_token', 'app_user', 'app_user_role', 'audit_entry', 'audit_seal', 'books_epoch', 'bundle_type'],
    ...['contribution_type', 'database_mode', 'dry_run', 'folding', 'fund', 'fund_former_name', 'known_network'],
    ...['login_failure', 'migrations', 'reading_progress', 'role', 'session', 'verified_login', 'webhook_endpoint'],
  ]);
  const partly = [...FATES].filter(([, fate]) => typeof fate === 'object');
  expect(partly).toEqual([['job', { deletedWhere: 'every_seconds IS NULL' }]]);
});

it('no row that is kept refers to a table that is emptied', async () => {
  const references = await database.query<{ from: string; to: string }>(
    `SELECT conrelid::regclass::text AS "from", confrelid::regclass::text AS "to" FROM pg_constraint
     WHERE contype = 'f' AND connamespace = 'public'::regnamespace`,
  );
  const dangling = references.filter(({ from, to }) => FATES.get(from) === 'kept' && FATES.get(to) !== 'kept');
  expect(references.length).toBeGreaterThan(20);
  expect(dangling).toEqual([]);
});
