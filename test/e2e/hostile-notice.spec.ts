import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import { ROLES, startTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

/** Input that the service accepts and that could become a header, a recipient, markup or reversed text. */
const MARKUP = '</td><script>alert(1)</script><a href="https://thief.example/">';
const HEADER = 'Bcc: thief@example.org,';
const REVERSED = '\u202Eevil\u2066';
const LINES = 'x\r\nBcc: thief@example.org\r\n\r\n<b>y</b>';

let mails: MailServer;
let service: TestApp;
const recipients: string[] = [];

beforeAll(async () => {
  mails = await startMailServer({
    onRcptTo: ({ address }, _session, done) => {
      recipients.push(address);
      done();
    },
  });
  service = await startTestApp(
    { SMTP_URL: mails.url, FINANCE_EMAILS: 'office@example.org', CHURCH_NAME: `${MARKUP} ${HEADER} Church` },
    { workers: true },
  );
});
afterAll(async () => {
  await service.stop();
  await mails.stop();
});

it('keeps hostile names, sources and addresses out of the headers and the markup of a notice', async () => {
  // As if somebody had written the address to the database past our checks.
  await service.createUser('treasurer', 'no password of note', ['Finance'], 'treasurer@example.org');
  await service.database.query(`UPDATE app_user SET email = $1 WHERE username = 'treasurer'`, [
    'treasurer@example.org>, <thief@example.org',
  ]);
  await service.database.query('UPDATE fund SET name = $1 WHERE id = 1', [LINES]);
  const hostile = await service.createUser('<i>api</i>', 'nobody would', ROLES);
  const giver = { First: `${MARKUP}${REVERSED}`.slice(0, 100), Last: `${HEADER} ${REVERSED}` };
  const added = (await service.add(giver, hostile).expect(200)).body as { ContributionId: number };
  const source = encodeURIComponent(`${MARKUP} ${REVERSED}`);
  await service.reverse(`${added.ContributionId}/${source}`, hostile).expect(200);
  const delivered = (): Promise<{ recipient: string; status: string; attempts: number }[]> =>
    service.database.query('SELECT recipient, status, attempts FROM delivery ORDER BY recipient');
  await until(async () => {
    const rows = await delivered();
    return rows.length > 0 && rows.every(({ status, attempts }) => status === 'sent' || attempts > 0);
  });

  const mail = mails.mails.find(({ to }) => JSON.stringify(to).includes('office@example.org'));
  expect([...(mail?.headers.keys() ?? [])].sort()).toEqual(
    ['content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to'].sort(),
  );
  expect(mail?.from?.value.map(({ address }) => address)).toEqual(['offertory@localhost']);
  expect(mail?.subject).toMatch(/^\[Offertory\] Gift \d+ reversed: USD 10\.00 \(.*\)$/);
  // Only white space and visible characters.
  expect(mail?.subject).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(mail?.text).not.toMatch(/[\u202A-\u202E\u2066-\u2069\r]/);
  expect(String(mail?.html)).not.toMatch(/<script|<a |<i>|<b>|[\u202A-\u202E\u2066-\u2069]/);
  expect(String(mail?.html)).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');

  expect(mail?.text).toMatch(/^Source: .*https\[:\]\/\/thief\[\.\]example\//m);

  // Whether or not the other mail was sent: only Finance was addressed.
  expect(recipients).toContain('office@example.org');
  expect(recipients).not.toContain('thief@example.org');
});
