import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { ParsedMail } from 'mailparser';
import { addedGift } from '../contract/gift-requests.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import { TEST_MODE } from '../support/mode.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

const TREASURER = 'treasurer@example.org';
const OFFICE = 'Office@example.org';

let mailServer: MailServer;
let service: TestApp;

beforeAll(async () => {
  mailServer = await startMailServer();
});
afterEach(() => service.stop());
afterAll(() => mailServer.stop());

async function start(settings: Record<string, string>): Promise<void> {
  const mail = { SMTP_URL: mailServer.url, FINANCE_EMAILS: OFFICE, MAIL_FROM: 'books@example.org' };
  service = await startTestApp({ ...mail, ...settings }, { workers: true });
  await service.createUser('treasurer', 'correct horse battery', ['Finance'], TREASURER);
  await service.createUser('auditor', 'correct horse battery', ['Auditor'], 'auditor@example.org');
}

/** The mails about the reversal of a new gift. */
async function mailsOfReversal(): Promise<readonly ParsedMail[]> {
  mailServer.mails.length = 0;
  const { ContributionId } = await addedGift(service, {});
  await service.reverse(`${ContributionId}/mails`).expect(200);
  await until(() => mailServer.mails.length === 2);
  return mailServer.mails;
}

const recipients = (mails: readonly ParsedMail[]): unknown[] => mails.map(({ to }) => [to].flat()[0]?.text).sort();

it('mails of a test system are marked in the subject and in the first line, and go to Finance only', async () => {
  await start(TEST_MODE);
  const mails = await mailsOfReversal();
  expect(recipients(mails)).toEqual([OFFICE.toLowerCase(), TREASURER]);
  for (const { subject, text = '', html } of mails) {
    expect(subject).toMatch(/^\[TEST\] \[Offertory\] Gift \d+ reversed/);
    expect(text).toMatch(/^\[TEST\] This mail is from a test system\. .*\n\nA gift to /);
    expect(html).toMatch(/<body[^>]*>\s*<p><strong>\[TEST\] This mail is from a test system\./);
  }
});

it('mails of the live service are not marked', async () => {
  await start({});
  const mails = await mailsOfReversal();
  expect(recipients(mails)).toEqual([OFFICE.toLowerCase(), TREASURER]);
  for (const { subject, text, html } of mails) expect([subject, text, html].join()).not.toMatch(/TEST|test system/);
});

it('a test system sends no mail to an address that is none of Finance, even if there is a delivery for it', async () => {
  await start(TEST_MODE);
  await mailsOfReversal();
  const [delivery] = await service.database.query<{ id: number }>(`
    WITH added AS (
      INSERT INTO delivery (notice_id, recipient, message_id) SELECT id, 'giver@example.org', '<giver@test>' FROM notice LIMIT 1
      RETURNING id)
    INSERT INTO job (queue, data) SELECT 'send-delivery', jsonb_build_object('deliveryId', id) FROM added
    RETURNING (data ->> 'deliveryId')::integer AS id`);
  const status = async (): Promise<unknown> => {
    const [row] = await service.database.query('SELECT status FROM delivery WHERE id = $1', [delivery?.id]);
    return row?.['status'];
  };
  await until(async () => (await status()) !== 'pending');
  expect(await status()).toBe('failed');
  expect(recipients(mailServer.mails)).not.toContain('giver@example.org');
});
