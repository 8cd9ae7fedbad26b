import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../support/free-port.js';
import { assertLedgerInvariants } from '../support/ledger-invariants.js';
import { createApiUser, type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { printFigures } from '../support/tally.js';
import type { Login } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { Batches, GIFTS } from './batches-load.js';
import { EXTENT } from './extent.js';

const LOGIN: Login = ['api', 'all of a batch or nothing'];
const CLIENTS = 8;
/** The time for a process to start on a busy machine, in milliseconds. */
const START_LIMIT = 20_000;

let database: TestDatabase;
let service: ServiceProcess;
let variables: Record<string, string>;
let funds: readonly number[];

beforeAll(async () => {
  database = await createTestDatabase();
  variables = { DATABASE_URL: database.url, PORT: String(await freePort()) };
  await createApiUser(variables, LOGIN[1]);
  service = await startServiceProcess(variables);
  const added = await database.query<{ id: number }>(`INSERT INTO fund (name) VALUES ('Roof'), ('Organ') RETURNING id`);
  funds = [1, ...added.map(({ id }) => id)];
});
afterEach(() => assertLedgerInvariants(database));
afterAll(async () => {
  expect(await service.end('SIGTERM')).toBe(0);
  expect(service.output()).not.toContain('internal_error');
  await database.drop();
});

/** Sends batches during the fault. @returns the load, which has stopped. */
async function underBatches(name: string, scenario: string, fault: (load: Batches) => Promise<void>): Promise<Batches> {
  const load = new Batches({ name, login: LOGIN, urls: [service.url], clients: CLIENTS }, funds);
  try {
    await load.succeed(CLIENTS);
    await fault(load);
    await load.recover(START_LIMIT);
    await load.stop();
    const sent = `${load.gifts.size} gifts in batches of ${GIFTS}, answered ${load.answered} times`;
    printFigures(scenario, load.tally, sent);
    expect(load.tally.retryAfterMissing).toBe(0);
    await load.assertBooked(database);
    return load;
  } finally {
    await load.stop();
  }
}

describe('each gift of a batch is recorded once', () => {
  it('although the service is killed, and the batch is sent again', async () => {
    const { tally } = await underBatches('killed', `service killed ${EXTENT.rounds} times`, async (load) => {
      for (let round = 0; round < EXTENT.rounds; round++) {
        await load.succeed(1 + Math.floor(Math.random() * CLIENTS));
        await service.end('SIGKILL');
        service = await startServiceProcess(variables);
        await load.recover(START_LIMIT);
      }
    });
    expect(['0', '200', '503 database_unavailable']).toEqual(expect.arrayContaining([...tally.seen.keys()]));
    expect(tally.count(0)).toBeGreaterThan(0);
  });

  it('although sessions of the database are terminated, and the batch is sent again', async () => {
    const { tally } = await underBatches('terminated', 'sessions terminated at random', async (load) => {
      const enough = load.tally.count(200) + EXTENT.rounds * CLIENTS;
      while (load.tally.count(200) < enough || load.tally.count(503) < EXTENT.rounds) {
        await database.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND application_name LIKE 'offertory%' AND random() < 0.3`,
        );
        await load.succeed(2);
      }
    });
    expect([...tally.seen.keys()].sort()).toEqual(['200', '503 database_unavailable']);
  });
});
