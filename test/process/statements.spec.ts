import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Program, startBare } from '../../bench/programs.js';
import { Client } from '../support/client.js';
import { createApiUser, runProgram, type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { gift } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';
import { openWireTap, tapCall, type WireTap } from '../support/wire-tap.js';

const LOGIN = ['api', 'the only right one'] as const;
/** Values that the service's folding and that of bench/bare.ts change in the same way. */
const KNOWN = gift('known', { Phone: '+19015550101' });

let database: TestDatabase;
let service: ServiceProcess;
let bare: Program;
let taps: { readonly service: WireTap; readonly bare: WireTap };
beforeAll(async () => {
  database = await createTestDatabase();
  await createApiUser({ DATABASE_URL: database.url }, LOGIN[1]);
  taps = { service: await openWireTap(database.url, 'offertory'), bare: await openWireTap(database.url, 'bare') };
  service = await startServiceProcess({ DATABASE_URL: taps.service.url, CHURCH_TIME_ZONE: 'America/Chicago' });
  bare = await startBare(taps.bare.url);
});
afterAll(async () => {
  await service.end('SIGTERM');
  await bare.stop();
  await taps.service.close();
  await taps.bare.close();
  await database.drop();
});

let count = 0;
/** An amount that no other gift has: an equal one would be listed for review. */
const amount = (): string => `${++count}.00`;

const add = (fields: object, key?: string): ((client: Client) => Promise<{ status: number }>) => {
  return (client) => client.add(fields, key);
};
/** Each prepares a new call to one of the two programs. */
const CALLS: Record<string, (client: Client) => Promise<(client: Client) => Promise<{ status: number }>>> = {
  'an existing giver': () => Promise.resolve(add({ ...KNOWN, Amount: amount() })),
  'a new giver': () => Promise.resolve(add(gift(`new${++count}`, { Phone: `+1901555${2_000 + count}` }))),
  'a giver by PeopleId': async (client) => {
    const { body } = await client.add({ ...KNOWN, Amount: amount() });
    return add({ ...KNOWN, PeopleId: body['PeopleId'], Amount: amount() });
  },
  'a reversal': async (client) => {
    const { body } = await client.add({ ...KNOWN, Amount: amount() });
    return (again) => again.reverse(Number(body['ContributionId']));
  },
  'a gift with a key': () => Promise.resolve(add({ ...KNOWN, Amount: amount() }, `first ${++count}`)),
  'a replay': async (client) => {
    const fields = { ...KNOWN, Amount: amount() };
    const key = `replay ${++count}`;
    await client.add(fields, key);
    return add(fields, key);
  },
};

/** The statement without comments and with normalised white space. */
function normalised(text: string): string {
  return text.replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim();
}

interface Sent {
  readonly statements: readonly { readonly text: string; readonly prepared: boolean }[];
  readonly roundTrips: number;
}

async function sentBy(target: 'service' | 'bare', name: string, password: string = LOGIN[1]): Promise<Sent> {
  const client = new Client(target === 'service' ? service.url : bare.url, LOGIN[0], password);
  // Opens a connection, checks the password and opens the day's bundle.
  expect((await client.add({ ...KNOWN, Amount: amount() })).status).toBe(200);
  const { statements, roundTrips } = await tapCall(
    taps[target],
    () => CALLS[name]?.(client),
    async (call) => {
      expect((await call?.(client))?.status).toBe(200);
    },
  );
  return {
    statements: statements.map(({ text, name }) => ({ text: normalised(text), prepared: name !== '' })),
    roundTrips,
  };
}

describe('the service', () => {
  it.each([
    ['an existing giver', 5],
    ['a new giver', 9],
    ['a giver by PeopleId', 6],
    ['a reversal', 10],
    ['a gift with a key', 7],
    ['a replay', 5],
  ])('needs for %s only %i round trips to the database, the login included', async (name, times) => {
    expect((await sentBy('service', name)).roundTrips).toBe(times);
  });
});

it('webhooks cost a gift one statement for all endpoints, and only while one wants it', async () => {
  const { roundTrips } = await sentBy('service', 'an existing giver');
  const create = async (event: string): Promise<void> => {
    const args = ['webhook', 'create', `https://${event}.example.org/`, '--events', event];
    await runProgram('cli', args, { DATABASE_URL: database.url });
  };
  await create('bundle.closed');
  expect((await sentBy('service', 'an existing giver')).roundTrips).toBe(roundTrips);
  await create('contribution.recorded');
  await database.query(
    "INSERT INTO webhook_endpoint (url, events, secret, created_by) SELECT 'https://' || n, '{contribution.recorded}', 'whsec_', 'a' FROM generate_series(1, 3) n",
  );
  const { statements, roundTrips: wanted } = await sentBy('service', 'an existing giver');
  expect(wanted).toBe(roundTrips + 1);
  expect(statements.at(-2)).toEqual({ text: expect.stringMatching(/^INSERT INTO webhook_delivery/), prepared: true });
  await database.query('DELETE FROM webhook_delivery; DELETE FROM webhook_endpoint');
});

it('a gift with a token goes to the database as often as one with a password', async () => {
  const created = await runProgram('cli', ['token', 'create', 'api', '--json'], { DATABASE_URL: database.url });
  const { token } = JSON.parse(created.stdout) as { token: string };
  const client = new Client(service.url, LOGIN[0], token);
  expect((await client.add({ ...KNOWN, Amount: amount() })).status).toBe(200);
  // The first call records the last use, beside it.
  const used = 'SELECT FROM api_token WHERE last_used_at IS NOT NULL';
  await until(async () => (await database.query(used)).length > 0);
  const byToken = await sentBy('service', 'an existing giver', token);
  expect(byToken.roundTrips).toBe(5);
  const [login, ...others] = byToken.statements;
  expect(login).toEqual({
    text: expect.stringMatching(/^SELECT t\.id, .* FROM .* LEFT JOIN api_token t/),
    prepared: true,
  });
  expect(others).toEqual((await sentBy('service', 'an existing giver')).statements.slice(1));
});

describe('bench/bare.ts, which the service is measured against', () => {
  // A reversal comes last: afterwards the workers send its notice on the same connections as later calls.
  const names = Object.keys(CALLS).sort((a, b) => Number(a === 'a reversal') - Number(b === 'a reversal'));
  it.each(names)('sends the same statements as the service for %s', async (name) => {
    const { statements } = await sentBy('service', name);
    expect(statements.length).toBeGreaterThan(3);
    expect((await sentBy('bare', name)).statements).toEqual(statements);
  });
});
