import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { assertLedgerInvariants } from '../support/ledger-invariants.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import { letJobsExpire, matchMails, untilNotified } from '../support/notices.js';
import { createApiUser, type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { printFigures, Tally } from '../support/tally.js';
import { gift, type Login } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';
import { EXTENT } from './extent.js';

const LOGIN: Login = ['api', 'two that send'];
const CLIENTS = 8;
/** The most mails that one process sends at a time: DEFAULT_CONCURRENCY of the queue. */
const IN_FLIGHT = 5;

let database: TestDatabase;
let mails: MailServer;
let replicas: [ServiceProcess, ServiceProcess];

beforeAll(async () => {
  database = await createTestDatabase();
  // As slow as a good server, so that there are always mails in flight.
  mails = await startMailServer({}, { hesitation: 20 });
  const variables = { DATABASE_URL: database.url, SMTP_URL: mails.url, FINANCE_EMAILS: 'office@example.org' };
  await createApiUser(variables, LOGIN[1]);
  replicas = await Promise.all([startServiceProcess(variables), startServiceProcess(variables)]);
});
afterEach(async () => {
  await assertLedgerInvariants(database);
});
afterAll(async () => {
  for (const replica of replicas) await replica.end('SIGTERM');
  await mails.stop();
  await database.drop();
});

/** Adds and reverses this number of gifts at one replica; both replicas send notices. */
async function reverseMany(count: number, at: ServiceProcess): Promise<Tally> {
  const client = new Client(at.url, ...LOGIN);
  const tally = new Tally();
  const work = async (first: number): Promise<void> => {
    for (let i = first; i < count; i += CLIENTS) {
      const added = tally.note(await client.add(gift(`many${i}`)));
      tally.note(await client.reverse(Number(added.body['ContributionId'])));
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, first) => work(first)));
  expect([...tally.seen.keys()]).toEqual(['200']);
  return tally;
}

const sentBy = (replica: ServiceProcess): number => replica.output().match(/Delivery \d+ is sent/g)?.length ?? 0;

describe(`two replicas send ${EXTENT.notices} notices`, () => {
  it('once each', async () => {
    const tally = await reverseMany(EXTENT.notices, replicas[0]);
    await untilNotified(database, 1, 120_000);
    const { delivered, repeated } = await matchMails(database, mails.mails);
    const shares = replicas.map(sentBy);
    printFigures(`2 replicas send ${delivered} notices`, tally, `${repeated} repeated; ${shares.join(' and ')}`);
    expect({ delivered, repeated }).toEqual({ delivered: EXTENT.notices, repeated: 0 });
    expect(Math.min(...shares)).toBeGreaterThan(0);
  });

  it('at least once each when one replica is killed, and twice only those in flight', async () => {
    const before = mails.mails.length;
    const reversing = reverseMany(EXTENT.notices, replicas[0]);
    await until(() => mails.mails.length >= before + EXTENT.notices / 2, 120_000);
    const left = before + EXTENT.notices - mails.mails.length;
    await replicas[1].end('SIGKILL');
    const tally = await reversing;
    if (!EXTENT.waitsForJobs) await letJobsExpire(database);
    await untilNotified(database, 1, 120_000);
    const { delivered, repeated } = await matchMails(database, mails.mails);
    const remark = `${repeated} repeated; killed with ${left} to go`;
    printFigures(`2 replicas send ${EXTENT.notices} notices, one is killed`, tally, remark);
    expect(delivered).toBe(before + EXTENT.notices);
    expect(repeated).toBeLessThanOrEqual(IN_FLIGHT);
    // Otherwise the kill came too late.
    expect(left).toBeGreaterThan(0);
  });
});
