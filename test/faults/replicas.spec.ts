import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, Client } from '../support/client.js';
import { freePort } from '../support/free-port.js';
import { assertLedgerInvariants } from '../support/ledger-invariants.js';
import { Load } from '../support/load.js';
import { createApiUser, type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { printFigures, Tally } from '../support/tally.js';
import { gift, type Login } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { EXTENT } from './extent.js';

const LOGIN: Login = ['api', 'several of the same'];

function fail(message: string): never {
  throw new Error(message);
}

describe.each(EXTENT.replicas)('%i replicas on one database', (count) => {
  let database: TestDatabase;
  let replicas: ServiceProcess[];
  const replica = (index: number): ServiceProcess => replicas[index % count] ?? fail(`There is no replica ${index}`);
  const start = (port: number): Promise<ServiceProcess> =>
    startServiceProcess({ DATABASE_URL: database.url, PORT: String(port) });

  beforeAll(async () => {
    database = await createTestDatabase();
    await createApiUser({ DATABASE_URL: database.url }, LOGIN[1]);
    replicas = await Promise.all(Array.from({ length: count }, async () => start(await freePort())));
  });
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.end('SIGKILL')));
    await database.drop();
  });

  /** Makes the same call 50 times at once, spread over the replicas. */
  async function atOnce(scenario: string, call: (client: Client) => Promise<Answer>): Promise<readonly Answer[]> {
    const tally = new Tally();
    const calls = Array.from({ length: 50 }, (_, i) => call(new Client(replica(i).url, ...LOGIN)));
    const answers = await Promise.all(calls);
    answers.forEach((answer) => tally.note(answer));
    printFigures(`${count} replicas: ${scenario}`, tally);
    return answers;
  }

  const statuses = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status).sort();
  const entries = (source: string): Promise<{ id: number; person_id: number }[]> =>
    database.query('SELECT id, person_id FROM contribution WHERE source = $1 ORDER BY id', [source]);

  it('create one person for 50 equal first gifts', async () => {
    const answers = await atOnce('50 equal first gifts', (client) => client.add(gift('first', { Source: 'first' })));
    expect(statuses(answers)).toEqual(Array.from({ length: 50 }, () => 200));
    expect(new Set(answers.map(({ body }) => body['PeopleId'])).size).toBe(1);
    expect(answers.filter(({ body }) => body['NewPerson'] === true)).toHaveLength(1);
    expect(await entries('first')).toHaveLength(50);
    await assertLedgerInvariants(database);
  });

  it('reverse a gift once for 50 equal requests', async () => {
    const first = await new Client(replica(0).url, ...LOGIN).add(gift('reversed'));
    const id = Number(first.body['ContributionId']);
    const answers = await atOnce('50 reversals of one gift', (client) => client.reverse(id, 'reversal'));
    expect(statuses(answers)).toEqual([200, ...Array.from({ length: 49 }, () => 409)]);
    const refused = answers.filter(({ status }) => status === 409);
    expect(new Set(refused.map(({ body }) => body['code']))).toEqual(new Set(['already_reversed']));
    expect(await entries('reversal')).toHaveLength(1);
    await assertLedgerInvariants(database);
  });

  it('record one gift for 50 equal requests with one key', async () => {
    const fields = gift('keyed', { Source: 'keyed' });
    const answers = await atOnce('50 equal requests with one key', (client) => client.add(fields, `key ${count}`));
    expect(statuses(answers)).toEqual(Array.from({ length: 50 }, () => 200));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.has('idempotency-replayed'))).toHaveLength(49);
    expect(await entries('keyed')).toHaveLength(1);
    await assertLedgerInvariants(database);
  });

  /** Makes calls meanwhile. A call without an answer is repeated at the next replica, and at most once. */
  async function underLoad(scenario: string, what: (load: Load) => Promise<void>): Promise<void> {
    const name = `${scenario.replaceAll(/\W/g, '')}${count}`;
    const load = new Load({ name, login: LOGIN, urls: replicas.map(({ url }) => url), clients: 12 });
    try {
      await load.succeed(50);
      await what(load);
      await load.succeed(50);
      await load.stop();
      printFigures(`${count} replicas: ${scenario}`, load.tally, `at most ${load.attempts} attempts`);
      for (const status of load.tally.seen.keys()) expect(['0', '200']).toContain(status);
      expect(load.attempts).toBeLessThanOrEqual(2);
      await load.assertBooked(database);
      await assertLedgerInvariants(database);
    } finally {
      await load.stop();
    }
  }

  it('continue when one of them is killed', async () => {
    await underLoad('one killed', async (load) => {
      await replica(0).end('SIGKILL');
      await load.succeed(100);
      replicas[0] = await start(Number(new URL(replica(0).url).port));
    });
  });

  it('restart one after the other without a failed call, if callers repeat a cut call once', async () => {
    await underLoad('rolling restart', async (load) => {
      for (const [index, { url, end }] of replicas.entries()) {
        expect(await end('SIGTERM')).toBe(0);
        await load.succeed(20);
        replicas[index] = await start(Number(new URL(url).port));
        await load.succeed(20);
      }
    });
  });
});
