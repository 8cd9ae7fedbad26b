import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client, untilAnswered } from '../support/client.js';
import { freePort } from '../support/free-port.js';
import { assertLedgerInvariants } from '../support/ledger-invariants.js';
import { Integrator } from '../support/integrator.js';
import { Load } from '../support/load.js';
import { createApiUser, type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import type { Login } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';
import { EXTENT } from './extent.js';

const LOGIN: Login = ['api', 'reads what it writes'];
const CLIENTS = 16;
const POLL_MS = 200;
/** Of a machine that has much else to do, in milliseconds. */
const TIME_LIMIT = 3_600_000;

interface View {
  readonly contributionId: number;
  readonly status: string;
  readonly amount: string;
  readonly updatedAt: string;
}

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

/** Pages through a list, a page from one replica and the next from the other, for as long as it is asked to. */
class Reader {
  readonly seen: View[] = [];
  pages = 0;
  private query: string;

  constructor(first: string) {
    this.query = first;
  }

  /** The next page. @returns whether there is more already. */
  async page(): Promise<boolean> {
    const answer = await untilAnswered((attempt) => {
      const replica = replicas[(this.pages + attempt) % replicas.length];
      return new Client(replica?.url ?? '', ...LOGIN).request(`/Api/Contributions?${this.query}&limit=500`, {});
    });
    expect(answer).toMatchObject({ status: 200 });
    const { contributions, next, more } = answer.body as { contributions: View[]; next: string; more: boolean };
    this.seen.push(...contributions);
    this.pages++;
    this.query = `after=${next}`;
    return more;
  }

  async readWhile(going: () => boolean): Promise<void> {
    // Who has caught up asks again after a moment, as a program would: asking is not what is measured.
    while (going()) if (!(await this.page())) await pause(POLL_MS);
    while (await this.page());
  }
}

/** The loop of docs/integrating.md as it stands there, and what it has in its books at the end. */
async function reconcileWhile(going: () => boolean): Promise<View[]> {
  do await integrator.run('npx tsx reconcile.ts');
  while (going());
  await integrator.run('npx tsx reconcile.ts');
  const { contributions } = JSON.parse(integrator.read('books.json')) as { contributions: Record<string, View> };
  return Object.values(contributions);
}

const asBooked = (views: Iterable<View>): object[] =>
  [...views]
    .sort((a, b) => a.contributionId - b.contributionId)
    .map(({ contributionId: id, status, amount }) => ({ id, status, amount }));

it(
  `readers end with what ${EXTENT.pushedGifts} gifts by ${CLIENTS} clients have made of the books, nothing twice`,
  async () => {
    const urls = replicas.map(({ url }) => url);
    const load = new Load({ name: 'pushed', login: LOGIN, urls, clients: CLIENTS });
    let pushing = true;
    const [changes, list] = [new Reader('updatedSince=1900-01-01'), new Reader('from=1900-01-01')];
    const reading = Promise.all([changes, list].map((reader) => reader.readWhile(() => pushing)));
    const documented = reconcileWhile(() => pushing);
    const begin = performance.now();
    await until(() => load.gifts.size >= EXTENT.pushedGifts, TIME_LIMIT);
    await load.stop();
    const seconds = (performance.now() - begin) / 1_000;
    pushing = false;
    await reading;

    const booked = await database.query<{ id: number; status: string; amount: string }>(
      `SELECT id, CASE status WHEN 0 THEN 'Recorded' ELSE 'Reversed' END AS status, amount FROM contribution ORDER BY id`,
    );
    const kept = new Map(changes.seen.map((view) => [view.contributionId, view]));
    expect(asBooked(kept.values())).toEqual(booked);
    expect(asBooked(await documented)).toEqual(booked);
    // Once for what it became, and once more only where it changed.
    const versions = changes.seen.map(({ contributionId, updatedAt }) => `${contributionId} ${updatedAt}`);
    expect(new Set(versions).size).toBe(versions.length);
    expect(list.seen.map(({ contributionId }) => contributionId)).toEqual(booked.map(({ id }) => id));
    await load.assertBooked(database);
    await assertLedgerInvariants(database);
    process.stdout.write(
      `| ${load.gifts.size} gifts and ${load.reversals.size} reversals by ${CLIENTS} clients in ${seconds.toFixed(0)} s | ` +
        `${changes.seen.length} changes read in ${changes.pages} pages, ${list.seen.length} entries in ${list.pages} |\n`,
    );
  },
  TIME_LIMIT,
);
