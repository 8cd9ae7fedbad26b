import { afterAll, beforeAll, expect, it } from '@jest/globals';
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

it('the service migrates a new database as its owner and serves in a role of its own, then starts without the owner', async () => {
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
  expect(JSON.parse(status.stdout)).toMatchObject({ pending: [] });
  const owners = await database.query<{ owner: string }>(
    `SELECT DISTINCT pg_get_userbyid(relowner) AS owner FROM pg_class
     WHERE relnamespace IN ('public'::regnamespace, 'pgboss'::regnamespace)`,
  );
  expect(owners).toEqual([{ owner: new URL(roles.ownerUrl).username }]);
});
