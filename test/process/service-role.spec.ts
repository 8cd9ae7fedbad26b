import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client as Session } from 'pg';
import { Client } from '../support/client.js';
import { type DatabaseRoles, makeRoles } from '../support/database-roles.js';
import { createApiUser, runProgram, startServiceProcess } from '../support/service-process.js';
import { gift } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const PASSWORD = 'nothing but what it needs';

let database: TestDatabase;
let roles: DatabaseRoles;

beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
  roles = await makeRoles(database);
});
afterAll(async () => {
  await database.drop();
  await roles.drop();
});

it('the service migrates a new database as its owner and serves in its own role, then starts without the owner', async () => {
  const alone = { DATABASE_URL: roles.serviceUrl };
  const both = { ...alone, MIGRATION_DATABASE_URL: roles.ownerUrl };

  const early = await runProgram('main', [], alone);
  expect(early).toMatchObject({ code: 1, stderr: expect.stringContaining('Set MIGRATION_DATABASE_URL') });

  const first = await startServiceProcess(both);
  await createApiUser(alone, PASSWORD);
  expect((await new Client(first.url, 'api', PASSWORD).add(gift('role'))).status).toBe(200);
  expect(await first.end('SIGTERM')).toBe(0);

  const second = await startServiceProcess(alone);
  const api = new Client(second.url, 'api', PASSWORD);
  expect((await api.add(gift('role'))).status).toBe(200);
  expect((await fetch(`${second.url}/health/ready`)).status).toBe(200);
  expect(await second.end('SIGTERM')).toBe(0);

  const status = await runProgram('cli', ['database', 'status', '--json'], both);
  expect(JSON.parse(status.stdout)).toMatchObject({ pending: [], newer: [] });
  for (const [variables, said] of [
    [both, /^rights +granted to offertory_service_/m],
    [alone, /^rights +none granted: .*Set MIGRATION_DATABASE_URL to connect as offertory_owner_/m],
    [{ DATABASE_URL: roles.ownerUrl }, /^rights +none to grant: offertory_owner_/m],
  ] as const) {
    const migrated = await runProgram('cli', ['database', 'migrate'], variables);
    expect(migrated).toMatchObject({ code: 0, stdout: expect.stringMatching(said) });
  }
  const owners = await database.query<{ owner: string }>(
    `SELECT DISTINCT pg_get_userbyid(relowner) AS owner FROM pg_class
     WHERE relnamespace IN ('public'::regnamespace, 'pgboss'::regnamespace)`,
  );
  expect(owners).toEqual([{ owner: new URL(roles.ownerUrl).username }]);
});

it('doctor also counts the sessions of other roles in a role without access to their activity', async () => {
  const sessions = Array.from({ length: 20 }, () => new Session({ connectionString: database.url }));
  for (const session of sessions) await session.connect();
  const [{ most } = { most: 0 }] = await database.query<{ most: number }>(
    `SELECT current_setting('max_connections')::integer AS most`,
  );
  const variables = { DATABASE_URL: roles.serviceUrl, DATABASE_POOL_SIZE: '100' };
  const { stdout } = await runProgram('cli', ['doctor'], variables);
  for (const session of sessions) await session.end();
  expect(stdout).toMatch(/\d+ connections are left/);
  expect(Number(/(\d+) connections are left/.exec(stdout)?.[1])).toBeLessThan(most - sessions.length);
});
