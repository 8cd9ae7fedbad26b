import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { SMTPServerOptions } from 'smtp-server';
import { startBareServer, slowLineTo } from '../support/bare-server.js';
import { Client } from '../support/client.js';
import { freePort } from '../support/free-port.js';
import { assertLedgerInvariants } from '../support/ledger-invariants.js';
import { type MailServer, refusal, startMailServer } from '../support/mail-server.js';
import { matchMails, untilNotified } from '../support/notices.js';
import { createApiUser, runProgram, type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { printFigures, Tally } from '../support/tally.js';
import { gift, type Login } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';
import { EXTENT } from './extent.js';

const LOGIN: Login = ['api', 'whatever the mail server does'];
const RECIPIENTS = ['office@example.org', 'treasurer@example.org'];
const REVERSALS = 5;
const NOTICES = REVERSALS * RECIPIENTS.length;
/** The pause between the gifts that a processor sends meanwhile, in milliseconds. */
const PACE = 50;
/** The time for all notices, in milliseconds: a mail takes about six commands, and few are sent at a time. */
const NOTICE_LIMIT = 400_000;

let database: TestDatabase;
let service: ServiceProcess;
let variables: Record<string, string>;
let port: number;
const stopping: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  port = await freePort();
});
beforeEach(async () => {
  database = await createTestDatabase();
  variables = {
    DATABASE_URL: database.url,
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    FINANCE_EMAILS: RECIPIENTS.join(','),
    // Waits of 5 ms that grow to 3.6 s, and attempts for 4 minutes, instead of 5 s, an hour and three days.
    MAIL_RETRY_FACTOR: '0.001',
  };
  await createApiUser(variables, LOGIN[1]);
  service = await startServiceProcess(variables);
});
afterEach(async () => {
  await assertLedgerInvariants(database);
  expect(await service.end('SIGTERM')).toBe(0);
  expect(service.output()).not.toContain('internal_error');
  for (const stop of stopping.splice(0).reverse()) await stop();
  await database.drop();
});
afterAll(() => {
  expect(stopping).toEqual([]);
});

async function mailServer(options: SMTPServerOptions = {}, at: number = port): Promise<MailServer> {
  const server = await startMailServer(options, { port: at });
  stopping.push(() => server.stop());
  return server;
}

/** The lowest and the highest number of attempts of a delivery. */
async function tries(): Promise<{ least: number; most: number }> {
  const [row] = await database.query<{ count: number; least: number; most: number }>(
    'SELECT count(*)::integer AS count, min(attempts) AS least, max(attempts) AS most FROM delivery',
  );
  return row?.count === NOTICES ? row : { least: 0, most: 0 };
}

/** Reverses some gifts, and adds others until all notices are sent. */
async function throughTrouble(scenario: string, trouble: () => Promise<MailServer>, cuts = () => 0): Promise<void> {
  const client = new Client(service.url, ...LOGIN);
  const tally = new Tally();
  for (let i = 0; i < REVERSALS; i++) {
    const added = tally.note(await client.add(gift(i)));
    tally.note(await client.reverse(Number(added.body['ContributionId'])));
  }
  let over = false;
  const giving = async (): Promise<void> => {
    for (let i = REVERSALS; !over; i++) {
      tally.note(await client.add(gift(i)));
      await sleep(PACE);
    }
  };
  const waiting = async (): Promise<MailServer> => {
    try {
      const server = await trouble();
      await untilNotified(database, RECIPIENTS.length, NOTICE_LIMIT);
      return server;
    } finally {
      over = true;
    }
  };
  const [{ mails }] = await Promise.all([waiting(), giving()]);
  const { delivered, repeated } = await matchMails(database, mails);
  const { least, most } = await tries();
  const median = tally.quantile(0.5);
  const remark = `${delivered} mails, ${repeated} repeated; ${least} to ${most} tries; median ${Math.ceil(median)} ms`;
  printFigures(`mail server ${scenario}`, tally, remark);
  expect(delivered).toBe(NOTICES);
  expect(repeated).toBeLessThanOrEqual(cuts());
  expect([...tally.seen.keys()]).toEqual(['200']);
  expect(median).toBeLessThan(100);
}

/** Returns true for the first `count` calls. */
function firstOnes(count: number): () => boolean {
  let left = count;
  return () => left-- > 0;
}

describe('Finance gets one notice of each reversal, and callers notice nothing, when the mail server', () => {
  it('is down for longer than ten retries', async () => {
    await throughTrouble('is down for longer than ten retries', async () => {
      await until(async () => (await tries()).least > 11, 60_000);
      return mailServer();
    });
  });

  it('drops the connection after the message', async () => {
    const cut = new Set<string>();
    let server: MailServer;
    const options: SMTPServerOptions = {
      onData: (stream, session, done) => {
        void server.take(stream).then((messageId) => {
          const again = cut.has(messageId);
          cut.add(messageId);
          // The mail is accepted, but the answer never arrives.
          if (again) done();
          else server.cut(session.remotePort);
        });
      },
    };
    const trouble = async (): Promise<MailServer> => (server = await mailServer(options));
    await throughTrouble('drops the line after the message', trouble, () => cut.size);
    expect(cut.size).toBe(NOTICES);
  });

  it('answers 421 to the connection', async () => {
    const isBusy = firstOnes(4 * NOTICES);
    await throughTrouble('answers 421 to the connection', () =>
      mailServer({
        onConnect: (_session, done) => {
          done(isBusy() ? refusal(421, 'Too busy') : null);
        },
      }),
    );
  });

  it('answers 451 to the recipient', async () => {
    const isGreylisted = firstOnes(4 * NOTICES);
    await throughTrouble('answers 451 to the recipient', () =>
      mailServer({
        onRcptTo: (_address, _session, done) => {
          done(isGreylisted() ? refusal(451, 'Greylisted') : null);
        },
      }),
    );
  });

  it('answers 451 to the message', async () => {
    const isFull = firstOnes(4 * NOTICES);
    await throughTrouble('answers 451 to the message', async () => {
      const server: MailServer = await mailServer({
        onData: (stream, _session, done) => {
          if (isFull())
            stream.resume().on('end', () => {
              done(refusal(451, 'No space left'));
            });
          else
            server.take(stream).then(() => {
              done();
            }, done);
        },
      });
      return server;
    });
  });

  it('answers 550 to one recipient: the other gets the notice, and this one when the mailbox exists', async () => {
    let exists = false;
    await throughTrouble('answers 550 to one of two recipients', async () => {
      const server = await mailServer({
        onRcptTo: ({ address }, _session, done) => {
          done(exists || address !== RECIPIENTS[1] ? null : refusal(550, '5.1.1 No such mailbox'));
        },
      });
      await until(async () => {
        const rows = await database.query('SELECT status, recipient, count(*) FROM delivery GROUP BY 1, 2 ORDER BY 1');
        return (
          JSON.stringify(rows) ===
          JSON.stringify([
            { status: 'failed', recipient: RECIPIENTS[1], count: String(REVERSALS) },
            { status: 'sent', recipient: RECIPIENTS[0], count: String(REVERSALS) },
          ])
        );
      }, 60_000);
      // The log follows the commit.
      await until(() => service.output().match(/"level":"error"[^\n]*is given up/g)?.length === REVERSALS);
      exists = true;
      expect((await runProgram('cli', ['notification', 'retry', '--all'], variables)).code).toBe(0);
      return server;
    });
  });

  it('never greets', async () => {
    await throughTrouble('never greets', async () => {
      const silent = await startBareServer(() => undefined, port);
      await until(async () => (await tries()).least > 0, 120_000);
      expect(silent.calls()).toBeGreaterThanOrEqual(NOTICES);
      await silent.stop();
      return mailServer();
    });
  });

  it(`takes ${EXTENT.slowCommand / 1_000} s a command`, async () => {
    await throughTrouble(`takes ${EXTENT.slowCommand / 1_000} s a command`, async () => {
      const server = await mailServer({}, 0);
      const line = await startBareServer(slowLineTo(Number(new URL(server.url).port), EXTENT.slowCommand), port);
      stopping.push(line.stop);
      return server;
    });
    // Slow deliveries are not given up.
    expect((await tries()).most).toBe(1);
  });
});
