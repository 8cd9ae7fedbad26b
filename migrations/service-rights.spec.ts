import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { rightsByTable, SERVICE_FUNCTIONS } from '../src/database/migrating/service-rights.js';
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
    'contact',
    'gift_to_index',
    'idempotency_key',
    'import_file_part',
    'job',
    'known_network',
    'login_failure',
    'match_key',
    'person_term',
    'person_to_fold',
    'person_to_index',
    'session',
    'verified_login',
    'webhook_delivery',
  ]);
});

it('every function that acts with the rights of the owner has a fixed search path', async () => {
  const loose = await database.query(
    `SELECT oid::regprocedure::text AS function FROM pg_proc
     WHERE pronamespace IN ('public'::regnamespace, 'pgboss'::regnamespace) AND prosecdef
       AND NOT coalesce('search_path=pg_catalog, pg_temp' = ANY (proconfig), false)`,
  );
  expect(loose).toEqual([]);
});

it('no role but the owner may attach a function that acts with the rights of the owner to a table of its own', async () => {
  const open = await database.query(
    `SELECT oid::regprocedure::text AS function FROM pg_proc
     WHERE pronamespace IN ('public'::regnamespace, 'pgboss'::regnamespace) AND prosecdef
       AND prorettype = 'trigger'::regtype AND has_function_privilege('public', oid, 'EXECUTE')`,
  );
  expect(open).toEqual([]);
});

it('every role may call a function that acts with the rights of the owner only if it is known to be harmless', async () => {
  const functions = await database.query<{ name: string; open: boolean }>(
    `SELECT format('%I.%I', nspname, proname) AS name, has_function_privilege('public', p.oid, 'EXECUTE') AS open
     FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
     WHERE nspname IN ('public', 'pgboss') AND prosecdef AND prorettype <> 'trigger'::regtype ORDER BY 1`,
  );
  expect(functions.filter(({ open }) => !open).map(({ name }) => name)).toEqual([...SERVICE_FUNCTIONS].sort());
  expect(functions.filter(({ open }) => open).map(({ name }) => name)).toEqual([
    'public.database_identity',
    'public.ensure_books_epoch',
    'public.restore_mark',
    'public.sequence_use',
    'public.settled_audit_entries',
    'public.settled_contributions',
  ]);
});
