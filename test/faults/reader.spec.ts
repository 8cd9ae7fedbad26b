import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { freePort } from '../support/free-port.js';
import { assertInvariantsOfManyRows } from '../support/ledger-invariants.js';
import { Integrator } from '../support/integrator.js';
import { asBooked, booksOf, ListReader, type ReadView } from '../support/list-reader.js';
import { Load } from '../support/load.js';
import { createApiUser, type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import type { Login } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';
import { EXTENT } from './extent.js';

const LOGIN: Login = ['api', 'reads what it writes'];
const CLIENTS = 16;
const POLL_MS = 200;
/** The time limit on a busy machine, in milliseconds. */
const TIME_LIMIT = 3_600_000;

let database: TestDatabase;
let replicas: ServiceProcess[];
let integrator: Integrator;

beforeAll(async () => {
  database = await createTestDatabase();
  await createApiUser({ DATABASE_URL: database.url }, LOGIN[1]);
  replicas = await Promise.all(
    [0, 1].map(async () => startServiceProcess({ DATABASE_URL: database.url, PORT: String(await freePort()) })),
  );
  integrator = new Integrator(replicas[0]?.url ?? '', LOGIN);
}, 120_000);
afterAll(async () => {
  integrator.leave();
  await Promise.all(replicas.map((replica) => replica.end('SIGKILL')));
  await database.drop();
});

async function readWhile(reader: ListReader, going: () => boolean): Promise<void> {
  // A reader that has caught up pauses before it asks again, as a program would.
  while (going()) if (!(await reader.page())) await pause(POLL_MS);
  await reader.readOn();
}

/** Runs the unchanged loop of docs/integrating.md. @returns its books at the end. */
async function reconcileWhile(going: () => boolean): Promise<ReadView[]> {
  do await integrator.run('npx tsx reconcile.ts');
  while (going());
  await integrator.run('npx tsx reconcile.ts');
  const { contributions } = JSON.parse(integrator.read('books.json')) as { contributions: Record<string, ReadView> };
  return Object.values(contributions);
}

it(
  `readers end with the same books as the service after ${EXTENT.pushedGifts} gifts by ${CLIENTS} clients`,
  async () => {
    const urls = replicas.map(({ url }) => url);
    const load = new Load({ name: 'pushed', login: LOGIN, urls, clients: CLIENTS });
    let pushing = true;
    const changes = new ListReader(urls, LOGIN, 'updatedSince=1900-01-01');
    const list = new ListReader(urls, LOGIN, 'from=1900-01-01');
    const reading = Promise.all([changes, list].map((reader) => readWhile(reader, () => pushing)));
    const documented = reconcileWhile(() => pushing);
    const begin = performance.now();
    await until(() => load.gifts.size >= EXTENT.pushedGifts, TIME_LIMIT);
    await load.stop();
    const seconds = (performance.now() - begin) / 1_000;
    pushing = false;
    await reading;

    const booked = await booksOf(database);
    expect(changes.books).toEqual(booked);
    expect(asBooked(await documented)).toEqual(booked);
    // Each entry is listed once, and once more only after a change.
    const versions = changes.seen.map(({ contributionId, updatedAt }) => `${contributionId} ${updatedAt}`);
    expect(new Set(versions).size).toBe(versions.length);
    expect(list.seen.map(({ contributionId }) => contributionId)).toEqual(booked.map(({ id }) => id));
    await load.assertBooked(database);
    await assertInvariantsOfManyRows(database);
    process.stdout.write(
      `| ${load.gifts.size} gifts and ${load.reversals.size} reversals by ${CLIENTS} clients in ${seconds.toFixed(0)} s | ` +
        `${changes.seen.length} changes read in ${changes.pages} pages, ${list.seen.length} entries in ${list.pages} |\n`,
    );
  },
  TIME_LIMIT,
);
