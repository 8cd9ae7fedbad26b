import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const LIMIT = 3;

let database: TestDatabase;
let replicas: ServiceProcess[];

// Two processes: two applications in one process would share passport's strategy and its counts.
beforeAll(async () => {
  database = await createTestDatabase();
  const variables = { DATABASE_URL: database.url, LOGIN_FAILURES_PER_MINUTE: String(LIMIT) };
  replicas = await Promise.all([startServiceProcess(variables), startServiceProcess(variables)]);
});
afterAll(async () => {
  for (const replica of replicas) expect(await replica.end('SIGTERM')).toBe(0);
  await database.drop();
});

it('two replicas on one database count wrong passwords together', async () => {
  const guess = async (i: number): Promise<number> => {
    const client = new Client(replicas[i % 2]?.url ?? '', 'api', `guess number ${i}`);
    return (await client.read(1)).status;
  };
  for (let i = 0; i < LIMIT; i++) expect(await guess(i)).toBe(401);
  expect([await guess(LIMIT), await guess(LIMIT + 1)]).toEqual([429, 429]);
});
