import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { createApiUser, runProgram, type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { gift } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const LOST = 'on a note that nobody finds';

let database: TestDatabase;
let variables: Record<string, string>;
let services: ServiceProcess[];

beforeAll(async () => {
  database = await createTestDatabase();
  variables = { DATABASE_URL: database.url };
  await createApiUser(variables, LOST);
  services = await Promise.all([startServiceProcess(variables), startServiceProcess(variables)]);
});
afterAll(async () => {
  for (const service of services) expect(await service.end('SIGTERM')).toBe(0);
  await database.drop();
});

it('user set-password replaces a lost password from the next request on', async () => {
  const statuses = (password: string): Promise<number[]> =>
    Promise.all(services.map(async ({ url }) => (await new Client(url, 'api', password).read(1)).status));
  // Both replicas have now cached the old password. 404: there is no gift yet.
  expect(await statuses(LOST)).toEqual([404, 404]);

  const replaced = await runProgram('cli', ['user', 'set-password', 'api', '--json'], variables);
  expect(replaced).toMatchObject({ code: 0, stderr: '' });
  const { password } = JSON.parse(replaced.stdout) as { password: string };

  expect(await statuses(LOST)).toEqual([401, 401]);
  expect(await statuses(password)).toEqual([404, 404]);
  expect(await new Client(services[0]?.url ?? '', 'api', password).add(gift('found'))).toMatchObject({ status: 200 });
});
