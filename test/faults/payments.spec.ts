import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { assertInvariantsOfManyRows } from '../support/ledger-invariants.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import { matchMails, untilNotified } from '../support/notices.js';
import { createApiUser, runProgram, type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { printFigures } from '../support/tally.js';
import type { Login } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';
import { EXTENT } from './extent.js';
import { PaymentsLoad } from './payments-load.js';

const LOGIN: Login = ['api', 'a third of them is split'];
const FINANCE: Login = ['treasurer', 'moves and reinstates them'];
const CLIENTS = 16;
/** The time limit on a busy machine, in milliseconds. */
const TIME_LIMIT = 2 * 3_600_000;

let database: TestDatabase;
let mails: MailServer;
let replicas: ServiceProcess[];
let funds: readonly number[];

beforeAll(async () => {
  database = await createTestDatabase();
  mails = await startMailServer();
  const variables = { DATABASE_URL: database.url, SMTP_URL: mails.url, FINANCE_EMAILS: 'office@example.org' };
  await createApiUser(variables, LOGIN[1]);
  const create = ['user', 'create', FINANCE[0], '--roles', 'Finance', '--password-stdin'];
  expect((await runProgram('cli', create, variables, FINANCE[1])).code).toBe(0);
  replicas = await Promise.all([startServiceProcess(variables), startServiceProcess(variables)]);
  const added = await database.query<{ id: number }>(`INSERT INTO fund (name) VALUES ('Roof'), ('Organ') RETURNING id`);
  funds = [1, ...added.map(({ id }) => id)];
}, 120_000);
afterAll(async () => {
  for (const replica of replicas) {
    expect(await replica.end('SIGTERM')).toBe(0);
    expect(replica.output()).not.toContain('internal_error');
  }
  await mails.stop();
  await database.drop();
});

it(
  `${EXTENT.payments} payments add up after random partial reversals by ${CLIENTS} clients, each with its notice`,
  async () => {
    const urls = replicas.map(({ url }) => url);
    const load = new PaymentsLoad({
      ...{ name: 'payments', login: LOGIN, urls, clients: CLIENTS },
      ...{ finance: FINANCE, funds, seed: EXTENT.seed },
    });
    const begin = performance.now();
    try {
      await until(() => load.payments.length >= EXTENT.payments, TIME_LIMIT);
    } finally {
      await load.stop();
    }
    const seconds = (performance.now() - begin) / 1_000;
    await load.assertBooked(database);
    await assertInvariantsOfManyRows(database);
    await until(() => mails.mails.length >= load.reversals.length, TIME_LIMIT);
    await untilNotified(database, 1, TIME_LIMIT);
    const { delivered } = await matchMails(database, mails.mails);
    printFigures(
      `${load.payments.length} payments`,
      load.tally,
      `${load.reversals.length} reversals, ${delivered} mails, ${load.reinstatements.length} reinstated gifts, ` +
        `${load.moves.length / 2} moves in ${seconds.toFixed(0)} s, seed ${EXTENT.seed}`,
    );
    expect(delivered).toBe(load.reversals.length);
    expect(load.tally.retryAfterMissing).toBe(0);
    expect(load.tally.count(409)).toBeGreaterThan(0);
    expect(load.tally.count(422)).toBeGreaterThan(0);
  },
  2 * TIME_LIMIT,
);
