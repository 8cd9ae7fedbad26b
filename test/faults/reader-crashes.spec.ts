import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client as Session } from 'pg';
import { Random } from '../model/random.js';
import { Client, untilAnswered } from '../support/client.js';
import { assertLedgerInvariants } from '../support/ledger-invariants.js';
import { booksOf, ListReader } from '../support/list-reader.js';
import { Load } from '../support/load.js';
import { type PrivatePostgres, startPrivatePostgres } from '../support/private-postgres.js';
import { createApiUser, type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { gift, type Login } from '../support/test-app.js';
import { until } from '../support/until.js';
import { EXTENT } from './extent.js';

const LOGIN: Login = ['api', 'reads through every crash'];
const POLL_MS = 20;
const TIME_LIMIT = 3_600_000;

let postgres: PrivatePostgres;
let replicas: ServiceProcess[];

beforeAll(async () => {
  postgres = await startPrivatePostgres();
  await createApiUser({ DATABASE_URL: postgres.url }, LOGIN[1]);
  replicas = await Promise.all([0, 1].map(() => startServiceProcess({ DATABASE_URL: postgres.url })));
}, 120_000);
afterAll(async () => {
  await Promise.all(replicas.map((replica) => replica.end('SIGKILL')));
  postgres.destroy();
});

/** Takes ids and rolls back, like gifts that are refused late, so that no commit writes the sequences to disk. */
async function wasteNumbers(going: () => boolean): Promise<void> {
  while (going()) {
    const session = new Session({ connectionString: postgres.url });
    session.on('error', () => undefined);
    try {
      await session.connect();
      while (going()) {
        await session.query(
          `BEGIN; SELECT nextval('contribution_id_seq'), nextval('contribution_change_no_seq'); ROLLBACK`,
        );
        await pause(2);
      }
    } catch {
      // The crash ended the session: continue with a new one.
      await pause(50);
    } finally {
      await session.end().catch(() => undefined);
    }
  }
}

/** Kills a backend that serves a replica; the whole server then recovers. */
async function killBackend(random: Random): Promise<void> {
  await until(async () => {
    const backends = await postgres.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE application_name = 'offertory' AND backend_type = 'client backend' ORDER BY pid`,
    );
    const backend = random.some(backends);
    return backend !== undefined && isKilled(backend.pid);
  });
}

/** Kills the process. @returns false if it has already ended, as backends of idle connections do. */
function isKilled(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

function crashServer(): void {
  postgres.stop('immediate');
  postgres.start();
}

it(
  'a reader misses no gift whose id was also taken before a crash that lost the state of the sequence',
  async () => {
    const urls = replicas.map(({ url }) => url);
    const client = new Client(urls[0] ?? '', ...LOGIN);
    const changes = new ListReader(urls, LOGIN, 'updatedSince=1900-01-01');
    const list = new ListReader(urls, LOGIN, 'from=1900-01-01');
    for (let round = 1; round <= 3; round++) {
      // Now only commits write the log to disk.
      const [writer] = await postgres.query<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity WHERE backend_type = 'walwriter'`,
      );
      if (writer === undefined) throw new Error('PostgreSQL has no WAL writer');
      process.kill(writer.pid, 'SIGSTOP');
      await postgres.query(`BEGIN;
        SELECT nextval('contribution_id_seq'), nextval('contribution_change_no_seq') FROM generate_series(1, 100);
        ROLLBACK`);
      for (const reader of [changes, list]) await reader.readOn();
      process.kill(writer.pid, 'SIGKILL');
      const added = await untilAnswered(() => client.add(gift(`after${round}`), `after the crash ${round}`));
      expect(added).toMatchObject({ status: 200 });
      for (const reader of [changes, list]) {
        await reader.readOn();
        expect(reader.books).toEqual(await booksOf(postgres));
      }
    }
  },
  TIME_LIMIT,
);

it(
  `readers by id and by change end with the books after ${EXTENT.crashes} crashes of backends and server`,
  async () => {
    const random = new Random(EXTENT.seed);
    const urls = replicas.map(({ url }) => url);
    const load = new Load({ name: 'crashing', login: LOGIN, urls, clients: 8 });
    let going = true;
    const wasting = wasteNumbers(() => going);
    const changes = new ListReader(urls, LOGIN, 'updatedSince=1900-01-01');
    const list = new ListReader(urls, LOGIN, 'from=1900-01-01');
    const reading = [changes, list].map(async (reader) => {
      while (going) if (!(await reader.page())) await pause(POLL_MS);
      await reader.readOn();
    });
    // Failures are reported by the await below.
    for (const each of reading) each.catch(() => undefined);
    const counts = { backend: 0, server: 0 };
    try {
      await load.succeed(50, 60_000);
      for (let crash = 0; crash < EXTENT.crashes; crash++) {
        const kind = random.percent(50) ? 'backend' : 'server';
        counts[kind]++;
        if (kind === 'backend') await killBackend(random);
        else crashServer();
        await load.succeed(20, 120_000);
        const pages = changes.pages + list.pages;
        await until(() => changes.pages + list.pages > pages + 2);
        await pause(random.below(300));
      }
    } finally {
      await load.stop();
      going = false;
      await wasting;
    }
    await Promise.all(reading);

    const books = await booksOf(postgres);
    expect(changes.books).toEqual(books);
    expect(list.seen.map(({ contributionId }) => contributionId)).toEqual(books.map(({ id }) => id));
    await load.assertBooked(postgres);
    await assertLedgerInvariants(postgres);
    expect(await postgres.query('SELECT FROM books_epoch')).toHaveLength(1);
    process.stdout.write(
      `| seed ${EXTENT.seed}: ${counts.backend} backends killed, ${counts.server} servers crashed | ${books.length} entries, ` +
        `${changes.seen.length} changes read in ${changes.pages} pages, ${list.seen.length} entries in ${list.pages} |\n`,
    );
  },
  TIME_LIMIT,
);
