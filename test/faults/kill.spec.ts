import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { openEmbeddedDatabase } from '../../src/embedded-postgres/index.js';
import { closeBundles } from '../support/close-bundles.js';
import { freePort } from '../support/free-port.js';
import { assertLedgerInvariants, type ClosedBundle, type Ledger } from '../support/ledger-invariants.js';
import { Load } from '../support/load.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import { letJobsExpire, matchMails, untilNotified } from '../support/notices.js';
import { createApiUser, type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { printFigures } from '../support/tally.js';
import type { Login } from '../support/test-app.js';
import { createTestDatabase } from '../support/test-database.js';
import { EXTENT } from './extent.js';

const LOGIN: Login = ['api', 'kill -9 does not matter'];
const RECIPIENTS = ['office@example.org', 'treasurer@example.org'];
/** The time for a process to start on a busy machine, in milliseconds. */
const START_LIMIT = 20_000;

const ending: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
});

/** A service that is killed repeatedly, with its database. */
interface Victim {
  readonly variables: Record<string, string>;
  kill(service: ServiceProcess): Promise<unknown>;
  look<T>(what: (ledger: Ledger) => Promise<T>): Promise<T>;
}

async function killAgainAndAgain(scenario: string, victim: Victim): Promise<void> {
  // So long after accepting a mail that the service may be killed before it gets the answer.
  const mails = await startMailServer({}, { hesitation: 20 });
  ending.push(() => mails.stop());
  const port = await freePort();
  const variables = {
    ...victim.variables,
    PORT: String(port),
    SMTP_URL: mails.url,
    FINANCE_EMAILS: RECIPIENTS.join(','),
  };
  await createApiUser(variables, LOGIN[1]);
  let service = await startServiceProcess(variables);
  ending.push(() => service.end('SIGKILL'));
  const load = new Load({ name: 'kill', login: LOGIN, urls: [service.url], clients: 16 });
  ending.push(() => load.stop());
  let closed: readonly ClosedBundle[] = [];
  let slowest = 0;
  for (let round = 0; round < EXTENT.rounds; round++) {
    await load.succeed(10 + Math.floor(Math.random() * 90));
    closed = await victim.look(closeBundles);
    await load.succeed(Math.floor(Math.random() * 50));
    await victim.kill(service);
    const killed = performance.now();
    service = await startServiceProcess(variables);
    await load.recover(START_LIMIT);
    slowest = Math.max(slowest, performance.now() - killed);
  }
  await load.stop();
  const mailed = await victim.look(async (ledger) => {
    if (!EXTENT.waitsForJobs) await letJobsExpire(ledger);
    await untilNotified(ledger, RECIPIENTS.length, 150_000);
    await assertLedgerInvariants(ledger, closed);
    await load.assertBooked(ledger);
    return await assertMails(ledger, load, mails);
  });
  const back = `back after at most ${(slowest / 1_000).toFixed(2)} s, starting included`;
  printFigures(scenario, load.tally, `${load.gifts.size} gifts; ${mailed}; ${back}`);
  for (const what of load.tally.seen.keys()) expect(what).toMatch(/^(200|0|503 .*)$/);
  expect(load.tally.retryAfterMissing).toBe(0);
  expect(closed).toHaveLength(EXTENT.rounds);
  expect(await service.end('SIGTERM')).toBe(0);
}

/** @returns a text with the numbers of reversals and mails. */
async function assertMails(ledger: Ledger, load: Load, { mails }: MailServer): Promise<string> {
  const { delivered, repeated } = await matchMails(ledger, mails);
  expect(delivered).toBe(load.reversals.size * RECIPIENTS.length);
  return `${load.reversals.size} reversals; ${delivered} mails, ${repeated} repeated`;
}

describe('kill -9 at random moments: gifts are recorded once, reversals are notified, closed bundles do not change', () => {
  it('of the service', async () => {
    const database = await createTestDatabase();
    ending.push(() => database.drop());
    await killAgainAndAgain(`service killed ${EXTENT.rounds} times`, {
      variables: { DATABASE_URL: database.url },
      kill: (service) => service.end('SIGKILL'),
      look: (what) => what(database),
    });
  });

  it('of the service together with its embedded database', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'offertory-kill-'));
    chmodSync(dataDir, 0o755);
    ending.push(() => {
      rmSync(dataDir, { recursive: true, force: true });
    });
    await killAgainAndAgain(`service and embedded database killed ${EXTENT.rounds} times`, {
      variables: { DATA_DIR: dataDir },
      kill: async (service) => {
        const killed = service.end('SIGKILL');
        killPostmaster(dataDir);
        await killed;
      },
      look: (what) => lookInto(dataDir, what),
    });
  });
});

/** Kills the embedded server before it can write anything; its children notice and exit. */
function killPostmaster(dataDir: string): void {
  const { stdout } = spawnSync('head', ['-n', '1', join(dataDir, 'database', 'postmaster.pid')], { encoding: 'utf8' });
  process.kill(Number(stdout.trim()), 'SIGKILL');
}

/** Runs `what` on the embedded server that the service has started. */
async function lookInto<T>(dataDir: string, what: (ledger: Ledger) => Promise<T>): Promise<T> {
  const server = await openEmbeddedDatabase({ dataDir, log: () => undefined });
  const client = new Client(server.connection);
  try {
    await client.connect();
    return await what({
      query: async <Row>(text: string, values: readonly unknown[] = []) =>
        (await client.query(text, [...values])).rows as Row[],
    });
  } finally {
    await client.end();
    await server.close();
  }
}
