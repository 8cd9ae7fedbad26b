import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addedGift } from '../contract/gift-requests.js';
import { type ConsoleVisitor, entriesOf, logInToConsole } from '../support/console.js';
import { type Login, startTestApp, type TestApp } from '../support/test-app.js';

const PASSWORD = 'some long password';
const SMTP = { SMTP_URL: 'smtp://192.0.2.1:587' };

/** What a person reads: the texts of the page without its elements. */
function textsOf(html: string): string {
  return (html.split('<main')[1] ?? '')
    .replaceAll('<wbr/>', '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');
}

async function reversedGift(service: TestApp): Promise<number> {
  const { ContributionId } = await addedGift(service, { Amount: '1234.50' });
  await service.reverse(`${ContributionId}/notices`).expect(200);
  return ContributionId;
}

async function addDelivery(service: TestApp, status: string, error: string): Promise<number> {
  const [row] = await service.database.query<{ id: number }>(
    `INSERT INTO delivery (notice_id, recipient, message_id, status, attempts, last_error, next_try_at, sent_at)
     SELECT id, $1 || '@example.org', '<' || $1 || '>', $1, 3, NULLIF($2, ''),
       CASE WHEN $1 = 'pending' THEN now() + interval '1 hour' END, CASE WHEN $1 = 'sent' THEN now() END
     FROM notice LIMIT 1 RETURNING id`,
    [status, error],
  );
  return row?.id ?? 0;
}

describe('the page of notices', () => {
  let service: TestApp;
  let finance: Login;
  let visitor: ConsoleVisitor;
  let gift: number;
  let [failed, sent, pending] = [0, 0, 0];

  beforeAll(async () => {
    // Without workers: the deliveries are added here, and nothing is sent.
    service = await startTestApp(SMTP);
    finance = await service.createUser('treasurer', PASSWORD, ['Finance'], 'treasurer@example.org');
    visitor = await logInToConsole(service, finance);
  });
  afterAll(() => service.stop());

  const open = async (path = '', status = 200): Promise<string> =>
    (await visitor.get(`/console/notices${path}`).expect(status)).text;

  it('says what will be there before anything was taken back, and who is notified', async () => {
    const text = textsOf(await open());
    expect(text).toContain('No gift was taken back yet.');
    expect(text).toContain('a mail goes to treasurer@example.org');
    expect(text).toContain(
      'it is tried again for three days. If the server refuses the address for good, the notice is given up at once.',
    );
    expect(text).not.toContain('No one is notified');
    expect(textsOf(await open('?status=failed'))).toContain('No notice has this status.');
  });

  it('shows to whom, about which reversal, the status, the tries, the next try and the reason in words', async () => {
    gift = await reversedGift(service);
    failed = await addDelivery(service, 'failed', '550 5.1.1 no such user');
    sent = await addDelivery(service, 'sent', '');
    pending = await addDelivery(service, 'pending', 'connect ECONNREFUSED 192.0.2.1:587');
    const html = await open();
    const text = textsOf(html);
    expect(text).toMatch(
      new RegExp(`Notice ${pending} .* 1,234\\.50 of gift ${gift} pending@example\\.org Waiting Next try .* 3 `),
    );
    expect(text).toContain('The mail server did not answer.');
    expect(text).toContain('failed@example.org Given up The address does not exist.');
    expect(html).toContain(`href="../console/gifts/${gift}"`);
    expect(html).not.toContain(`/console/notices/${sent}/retry`);
    const unsent = textsOf(await open('?status=unsent'));
    expect([unsent.includes('Given up'), unsent.includes('sent@example.org')]).toEqual([true, false]);
    expect(textsOf((await visitor.get('/console').expect(200)).text)).toContain('2 notices of reversals not sent');
  });

  it('shows one notice with the words of the mail server', async () => {
    const text = textsOf(await open(`/${failed}`));
    expect(text).toContain('The address does not exist.');
    expect(text).toContain('550 5.1.1 no such user');
    expect(text).toContain('It was given up');
    expect(textsOf(await open(`/${sent}`))).not.toContain('Try again');
    await open('/2000000001', 404);
  });

  it('tries again, by name of the person on the page', async () => {
    const { headers } = await visitor.post(`/console/notices/${failed}/retry`).expect(303);
    expect(headers['location']).toContain(`console/notices/${failed}?`);
    const text = textsOf(await open(`/${failed}`));
    expect(text).toContain('Status Waiting');
    expect(text).toMatch(/New try asked for \w+ \d+, \d{4}, [\d:]+ by treasurer/);
    expect(text).toContain('It is tried again within a minute.');
    // Nobody needs to ask for what happens anyway.
    expect(text).not.toContain('Try again');
    expect(await open()).not.toContain(`/console/notices/${failed}/retry`);
    expect(await open()).toContain(`/console/notices/${pending}/retry`);
    expect(text).not.toContain('The address does not exist.');
    expect(textsOf(await open())).not.toContain('The address does not exist.');
    expect(await entriesOf(service, finance)).toContainEqual({
      ...{ actor: 'treasurer', via: 'page', action: 'notification.retry', subject: `delivery ${failed}`, details: {} },
    });
  });

  it('says that somebody was faster if the notice was sent meanwhile', async () => {
    const { text } = await visitor.post(`/console/notices/${sent}/retry`).expect(409);
    expect(textsOf(text)).toContain('Somebody was faster: this notice is already sent.');
    expect(textsOf(text)).toContain('Status Sent');
    await visitor.post('/console/notices/2000000001/retry').expect(404);
  });

  it('shows everything to an auditor, and no button', async () => {
    const login = await service.createUser('auditor', PASSWORD, ['Auditor']);
    const auditor = await logInToConsole(service, login);
    for (const path of ['', `/${pending}`]) {
      const { text } = await auditor.get(`/console/notices${path}`).expect(200);
      expect(text).toContain('The mail server did not answer.');
      expect(text.split('<main')[1]).not.toContain('method="post"');
    }
    await auditor.post(`/console/notices/${pending}/retry`).expect(403);
  });

  it('refuses a status that does not exist, beside its field', async () => {
    expect(await open('?status=lost', 400)).toContain('id="field-status-fault"');
  });
});

it('explains that nobody is notified, and that no mail leaves the server', async () => {
  const service = await startTestApp();
  try {
    const login = await service.createUser('treasurer', PASSWORD, ['Finance']);
    await reversedGift(service);
    const visitor = await logInToConsole(service, login);
    const text = textsOf((await visitor.get('/console/notices').expect(200)).text);
    expect(text).toContain('No one is notified of reversals.');
    expect(text).toContain('No mail leaves the server.');
    expect(text).toContain('Nobody yet');
  } finally {
    await service.stop();
  }
});
