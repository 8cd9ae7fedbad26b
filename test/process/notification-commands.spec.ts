import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { type MailServer, refusal, startMailServer } from '../support/mail-server.js';
import {
  createApiUser,
  type Outcome,
  runProgram,
  type ServiceProcess,
  startServiceProcess,
} from '../support/service-process.js';
import { gift } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';

const PASSWORD = 'somebody has to be told';

let database: TestDatabase;
let mails: MailServer;
let service: ServiceProcess;
let refusing = true;

const offertory = (...args: string[]): Promise<Outcome> => withRecipient('office@example.org', ...args);
const withRecipient = (address: string, ...args: string[]): Promise<Outcome> =>
  runProgram('cli', ['notification', ...args], { DATABASE_URL: database.url, FINANCE_EMAILS: address });

async function statuses(): Promise<string[]> {
  const rows = await database.query<{ status: string }>('SELECT status FROM delivery ORDER BY id');
  return rows.map(({ status }) => status);
}

beforeAll(async () => {
  database = await createTestDatabase();
  mails = await startMailServer({
    onMailFrom: (_address, _session, done) => {
      done(refusing ? refusal(451, 'not now') : null);
    },
  });
  await createApiUser({ DATABASE_URL: database.url }, PASSWORD);
  service = await startServiceProcess({
    DATABASE_URL: database.url,
    SMTP_URL: mails.url,
    FINANCE_EMAILS: 'office@example.org',
  });
  const processor = new Client(service.url, 'api', PASSWORD);
  for (let i = 0; i < 3; i++) {
    const { body } = await processor.add(gift(`told${i}`));
    await processor.reverse(Number(body['ContributionId']));
  }
  await until(async () => {
    const tried = await database.query('SELECT 1 FROM delivery WHERE attempts > 0');
    return tried.length === 3;
  }, 30_000);
  // As after an outage of an hour: the next attempts are far away, and one delivery has failed.
  await database.query(`
    UPDATE job SET due_at = now() + interval '1 hour' WHERE queue = 'send-delivery' AND leased_until IS NULL;
    UPDATE delivery SET status = 'failed', next_try_at = NULL WHERE id = 3;
    DELETE FROM job WHERE queue = 'send-delivery' AND data = '{"deliveryId": 3}'`);
});
afterAll(async () => {
  expect(await service.end('SIGTERM')).toBe(0);
  await mails.stop();
  await database.drop();
});

it('notification list shows the status of each notice, and notification show the details of one', async () => {
  const list = await offertory('list', '--json');
  expect(JSON.parse(list.stdout)).toMatchObject([
    { id: 3, recipient: 'office@example.org', status: 'failed', nextTry: null },
    { id: 2, status: 'pending', lastError: expect.stringContaining('451') },
    { id: 1, status: 'pending' },
  ]);
  const failed = await offertory('list', '--status', 'failed', '--json');
  expect(JSON.parse(failed.stdout)).toMatchObject([{ id: 3 }]);
  const shown = await offertory('show', '3', '--json');
  expect(JSON.parse(shown.stdout)).toMatchObject({ id: 3, messageId: expect.stringMatching(/^<reversal\..*>$/) });
});

it('notification retry sends the named deliveries, failed or pending', async () => {
  refusing = false;
  expect(await offertory('retry', '1', '3')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('2 to be sent'),
  });
  await until(async () => (await statuses()).join() === 'sent,pending,sent', 30_000);
});

it('notification retry --all sends the rest, and each mail is sent once', async () => {
  expect(JSON.parse((await offertory('retry', '--all', '--json')).stdout)).toEqual({ toBeSent: 1 });
  await until(async () => (await statuses()).join() === 'sent,sent,sent', 30_000);
  expect(new Set(mails.mails.map(({ messageId }) => messageId)).size).toBe(3);
  expect(mails.mails).toHaveLength(3);
});

it('notification retry sends the notice to a corrected address', async () => {
  await database.query("UPDATE delivery SET status = 'failed', sent_at = NULL WHERE id = 2");
  expect(await withRecipient('treasurer@example.org', 'retry', '2')).toMatchObject({
    stdout: expect.stringContaining('2 to be sent'),
  });
  await until(async () => (await statuses()).join() === 'sent,sent,sent,sent', 30_000);
  const recipients = await database.query(
    'SELECT recipient FROM delivery WHERE notice_id = (SELECT notice_id FROM delivery WHERE id = 2) ORDER BY id',
  );
  expect(recipients).toEqual([{ recipient: 'office@example.org' }, { recipient: 'treasurer@example.org' }]);
});

it.each([
  [['retry'], 'Give ids of deliveries, or --all.'],
  [['retry', '1', '--all'], 'Give ids of deliveries, or --all.'],
  [['retry', '1'], 'Already sent: delivery 1.'],
  [['retry', '98', '99'], 'There is no delivery 98, 99.'],
  [['show', '99'], 'There is no delivery 99.'],
])('notification %s is refused with a message of one line', async (args, message) => {
  expect(await offertory(...args)).toEqual({ code: 1, stdout: '', stderr: `error: ${message}\n` });
});

it('notification preview prints the notice, or its HTML', async () => {
  expect((await offertory('preview')).stdout).toMatch(/^Subject: \[Offertory\] Gift 1234 reversed: USD 10\.00/);
  expect((await offertory('preview', '--html')).stdout).toMatch(/^<!doctype html>/);
});

it('notification list explains why a notice waits for a recipient, and what to do', async () => {
  await database.query('DELETE FROM delivery WHERE id = 1');
  const noteFor = async (address: string): Promise<unknown> => {
    const { stdout } = await withRecipient(address, 'list', '--status', 'pending', '--json');
    return (JSON.parse(stdout) as { id: null; note: string }[])[0];
  };
  expect(await noteFor('')).toMatchObject({ id: null, note: expect.stringMatching(/no recipient.*FINANCE_EMAILS/) });
  expect(await noteFor('office@example.org')).toMatchObject({ note: expect.stringContaining('within a minute') });
  expect((await withRecipient('', 'list')).stdout).toContain('no recipient: give a user the role Finance');
  const sent = JSON.parse((await offertory('list', '--status', 'sent', '--json')).stdout) as object[];
  expect(sent[0]).toMatchObject({ note: null });
});
