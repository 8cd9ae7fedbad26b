import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { assertLedgerInvariants } from '../support/ledger-invariants.js';
import { Load } from '../support/load.js';
import { createApiUser, type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { printFigures, Tally } from '../support/tally.js';
import { gift, type Login } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { EXTENT } from './extent.js';

const LOGIN: Login = ['api', 'the only right one'];
const PER_SECOND = 200;
const AT_ONCE = 10;
/** The allowed answers to a wrong password. The last: on a busy machine a guess may not get a connection in its time. */
const REFUSALS = ['401 unauthenticated', '429 too_many_requests', '503 service_busy', '503 database_unavailable'];

let database: TestDatabase;
let service: ServiceProcess;
beforeAll(async () => {
  database = await createTestDatabase();
  await createApiUser({ DATABASE_URL: database.url }, LOGIN[1]);
  service = await startServiceProcess({ DATABASE_URL: database.url });
});
afterAll(async () => {
  await assertLedgerInvariants(database);
  expect(await service.end('SIGTERM')).toBe(0);
  expect(service.output()).not.toContain('internal_error');
  await database.drop();
});

/** Sends wrong passwords at a steady rate without waiting for answers; `username` names the user of each call. */
async function flood(milliseconds: number, username: (call: number) => string): Promise<Tally> {
  const tally = new Tally();
  const calls: Promise<unknown>[] = [];
  const begin = performance.now();
  while (performance.now() - begin < milliseconds) {
    const due = Math.floor(((performance.now() - begin) / 1_000) * PER_SECOND);
    while (calls.length < due) {
      const guesser = new Client(service.url, username(calls.length), `a guess, ${calls.length}`);
      calls.push(guesser.add(gift('flood', { Source: 'flood' })).then((answer) => tally.note(answer)));
    }
    await sleep((1_000 / PER_SECOND) * AT_ONCE);
  }
  await Promise.all(calls);
  return tally;
}

describe(`${PER_SECOND} wrong passwords a second do not delay callers with the right password`, () => {
  it.each([
    ['for a different name each time', (call: number) => `nobody${call}`],
    ['for the name of the good caller', () => LOGIN[0]],
  ])('%s', async (scenario, username) => {
    const name = `beside${username(0)}`;
    const load = new Load({ name, login: LOGIN, urls: [service.url], clients: 4 });
    try {
      await load.succeed(50);
      const alone = load.tally.quantile(0.5);
      const guesses = await flood(EXTENT.slowness, username);
      await load.stop();
      printFigures(`${PER_SECOND} wrong passwords a second, ${scenario}`, guesses);
      const p99 = (load.tally.quantile(0.99) / 1_000).toFixed(2);
      printFigures(
        'the good callers at the same time',
        load.tally,
        `p99 ${p99} s; median before them ${alone.toFixed(0)} ms`,
      );

      expect(guesses.calls).toBeGreaterThanOrEqual((EXTENT.slowness / 1_000) * PER_SECOND * 0.9);
      expect([...guesses.seen.keys()].filter((answer) => !REFUSALS.includes(answer))).toEqual([]);
      expect(guesses.retryAfterMissing).toBe(0);
      expect([...load.tally.seen.keys()]).toEqual(['200']);
      // A second, or on a busy machine a multiple of the time that a call takes without the flood.
      expect(load.tally.quantile(0.99)).toBeLessThan(Math.max(1_000, 40 * alone));
      await load.assertBooked(database);
    } finally {
      await load.stop();
    }
    expect(await database.query("SELECT id FROM contribution WHERE source = 'flood'")).toEqual([]);
  });
});
