import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type ConsoleVisitor,
  entriesOf,
  flashOf,
  hiddenFieldsOf,
  logInToConsole,
  mainOf,
  textOf,
} from '../support/console.js';
import { type Login, startTestApp, type TestApp } from '../support/test-app.js';

const PASSWORD = 'some long password';
const URL = 'https://processor.example.org/hooks';

let service: TestApp;
let finance: Login;
let visitor: ConsoleVisitor;
let webhook: number;

beforeAll(async () => {
  // Without workers: nothing is sent.
  service = await startTestApp();
  finance = await service.createUser('treasurer', PASSWORD, ['Finance']);
  visitor = await logInToConsole(service, finance);
});
afterAll(() => service.stop());

const open = async (path = '', status = 200): Promise<string> =>
  (await visitor.get(`/console/webhooks${path}`).expect(status)).text;

async function addDelivery(status: string, error: string): Promise<number> {
  const [row] = await service.database.query<{ id: number }>(
    `INSERT INTO webhook_delivery (endpoint_id, message_id, type, data, status, attempts, last_try_at, last_error, last_status,
       next_try_at, settled_at)
     VALUES ($1, gen_random_uuid(), 'bundle.closed', '{"bundleId": 7}', $2, 3, now(), NULLIF($3, ''), 500,
       CASE WHEN $2 = 'pending' THEN now() + interval '1 hour' END, CASE WHEN $2 <> 'pending' THEN now() END) RETURNING id`,
    [webhook, status, error],
  );
  return row?.id ?? 0;
}

describe('the pages of webhooks', () => {
  it('say what a webhook is before there is one', async () => {
    const text = textOf(await open());
    expect(text).toContain('It sends ids only');
    expect(text).toContain('There is no webhook yet.');
  });

  it('add a webhook, and show its secret once', async () => {
    const { text } = await visitor
      .post('/console/webhooks', { Url: URL, User: 'api', 'bundle.closed': 'true', 'contribution.recorded': 'true' })
      .expect(200);
    const secret = /whsec_[A-Za-z0-9+/]{43}=/.exec(text)?.[0];
    const [row] = await service.database.query<{ id: number }>('SELECT * FROM webhook_endpoint');
    webhook = row?.id ?? 0;
    expect(row).toMatchObject({ url: URL, secret, events: ['contribution.recorded', 'bundle.closed'] });
    for (const path of ['', `/${webhook}`]) expect(await open(path)).not.toContain('whsec_');
    const page = textOf(await open(`/${webhook}`));
    expect(page).toContain(
      `Address ${URL} Status Enabled Whose events api Events contribution.recorded, bundle.closed`,
    );
    expect(page).toContain('Nothing was sent yet.');
    // A browser that reloads the page sends the form again.
    const again = await visitor
      .post('/console/webhooks', { Url: URL, User: 'api', 'bundle.closed': 'true' })
      .expect(409);
    expect(textOf(again.text)).toContain('There is an enabled webhook with this URL and user already.');
  });

  it.each<[string, Record<string, string>, string]>([
    ['no event', { Url: URL }, 'The choice of events must name at least one event.'],
    [
      'a merge for a user',
      { Url: URL, User: 'api', 'person.merged': 'true' },
      'The choice of events must not have person.merged',
    ],
    ['plain HTTP', { Url: 'http://example.org/', 'bundle.closed': 'true' }, 'Address must begin with https://.'],
    ['no address', { 'bundle.closed': 'true' }, 'Address is required.'],
  ])('keep what was typed if it is refused: %s', async (_what, fields, message) => {
    const { text } = await visitor.post('/console/webhooks', fields).expect(400);
    expect(textOf(text)).toContain(message);
    if (fields['Url'] !== undefined) expect(text).toContain(`value="${fields['Url']}"`);
    if (fields['bundle.closed'] !== undefined) expect(text).toMatch(/name="bundle.closed"[^>]*checked/);
  });

  it('list the deliveries by status, with the reason and the next try', async () => {
    const failed = await addDelivery('failed', 'The receiver answered 500.');
    const pending = await addDelivery('pending', 'The receiver answered 503.');
    const delivered = await addDelivery('delivered', '');
    const text = textOf(await open(`/${webhook}`));
    expect(text).toMatch(new RegExp(`Delivery ${failed} bundle.closed .* Given up The receiver answered 500\\.`));
    expect(text).toMatch(
      new RegExp(`Delivery ${pending} bundle.closed .* Waits Next try .* The receiver answered 503\\.`),
    );
    const filtered = textOf(await open(`/${webhook}?status=failed`));
    expect([failed, pending, delivered].map((id) => filtered.includes(`Delivery ${id} `))).toEqual([
      true,
      false,
      false,
    ]);
    await open(`/${webhook}?status=lost`, 400);
    await open('/2000000001', 404);
    expect(textOf(await open())).toMatch(new RegExp(`Webhook ${webhook} ${URL} api Enabled 1 1`));
    expect(textOf((await visitor.get('/console').expect(200)).text)).toContain(
      '1 webhook that does not reach its receiver',
    );
  });

  it('show a delivery with its content, and send it again', async () => {
    const id = await addDelivery('failed', 'The receiver answered 500.');
    const before = textOf(await open(`/deliveries/${id}`));
    expect(before).toContain('Content {&quot;bundleId&quot;:7}');
    expect(before).toMatch(/webhook-id msg_[0-9a-f-]{36}/);
    const { headers } = await visitor.post(`/console/webhooks/deliveries/${id}/replay`).expect(303);
    expect(flashOf(headers as Record<string, string>)).toBe(`Delivery ${id} is sent again.`);
    expect(textOf(await open(`/deliveries/${id}`))).toContain('It is sent within seconds.');
    await open('/deliveries/2000000001', 404);
  });

  it('send all again that was given up, and a test', async () => {
    const { headers } = await visitor.post(`/console/webhooks/${webhook}/replay`).expect(303);
    expect(flashOf(headers as Record<string, string>)).toBe('1 delivery is sent again.');
    const test = await visitor.post(`/console/webhooks/${webhook}/test`).expect(303);
    expect(String(test.headers['location'])).toMatch(/console\/webhooks\/deliveries\/\d+\?/);
  });

  it('ask before a new secret, which a form that was sent twice does not change twice', async () => {
    const question = await open(`/${webhook}/rotate`);
    const fields = hiddenFieldsOf(question);
    expect(fields).toEqual({ SecretVersion: '1' });
    const { text } = await visitor.post(`/console/webhooks/${webhook}/rotate`, fields).expect(200);
    expect(text).toMatch(/whsec_[A-Za-z0-9+/]{43}=/);
    expect(textOf(text)).toContain('The former secret works, too, for a day.');
    const again = await visitor.post(`/console/webhooks/${webhook}/rotate`, fields).expect(409);
    expect(textOf(again.text)).toContain('was rotated meanwhile. Nothing was changed.');
    expect(hiddenFieldsOf(again.text)).toEqual({ SecretVersion: '2' });
    expect(textOf(again.text)).toContain('The secret was changed within the last day.');
    await visitor.post(`/console/webhooks/${webhook}/rotate`, {}).expect(409);
  });

  it('ask before a webhook is disabled, and enable it again', async () => {
    expect(textOf(await open(`/${webhook}/disable`))).toContain('What waits for it (');
    await visitor.post(`/console/webhooks/${webhook}/disable`).expect(303);
    expect(textOf(await open(`/${webhook}`))).toContain('Status Disabled');
    await visitor.post(`/console/webhooks/${webhook}/test`).expect(409);
    await visitor.post(`/console/webhooks/${webhook}/enable`).expect(303);
    expect(textOf(await open(`/${webhook}`))).toContain('Status Enabled');
  });

  it('say that a receiver has ended its webhook, until somebody disables it', async () => {
    await service.database.query('UPDATE webhook_endpoint SET disabled_at = now() WHERE id = $1', [webhook]);
    expect(textOf(await open(`/${webhook}`))).toContain('The receiver has answered that it wants no more messages.');
    expect(textOf(await open(`/${webhook}`))).toContain('by its receiver');
    const home = async (): Promise<string> => textOf((await visitor.get('/console').expect(200)).text);
    expect(await home()).toContain('1 webhook that does not reach its receiver');
    await visitor.post(`/console/webhooks/${webhook}/disable`).expect(303);
    expect(await home()).not.toContain('does not reach its receiver');
  });

  it('record every change by the person on the page, and never the secret', async () => {
    const entries = (await entriesOf(service, finance)).filter(({ action }) => action.startsWith('webhook.'));
    expect(entries.every(({ via, subject }) => via === 'page' && subject === `webhook ${webhook}`)).toBe(true);
    expect(entries.map(({ action }) => action.replace('webhook.', ''))).toEqual([
      ...['create', 'replay', 'replay', 'test', 'rotate', 'disable', 'enable', 'disable'],
    ]);
    expect(JSON.stringify(entries)).not.toContain('whsec_');
    const changes = await visitor.get('/console/changes').expect(200);
    expect(textOf(changes.text)).toContain('gave a webhook a new secret');
    expect(mainOf(changes.text)).toContain(`href="../console/webhooks/${webhook}"`);
  });

  it('show everything to an auditor, and no button', async () => {
    const auditor = await logInToConsole(service, await service.createUser('auditor', PASSWORD, ['Auditor']));
    for (const path of ['', `/${webhook}`]) {
      const { text } = await auditor.get(`/console/webhooks${path}`).expect(200);
      expect(text).toContain(URL);
      expect(mainOf(text)).not.toContain('method="post"');
    }
    for (const path of ['/new', `/${webhook}/rotate`]) await auditor.get(`/console/webhooks${path}`).expect(403);
    await auditor.post(`/console/webhooks/${webhook}/enable`).expect(403);
  });
});
