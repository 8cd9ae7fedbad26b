import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { changesRecordedBy } from '../finance/finance-calls.js';
import { addedGift } from '../contract/gift-requests.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';
import { answering, resetting, verifies, WebhookReceiver } from '../support/webhook-receiver.js';
import { type DeliveryAnswer, WebhookCalls } from './webhook-calls.js';

/** Ten attempts within three seconds. */
const QUICK = { WEBHOOK_ALLOW_PRIVATE: '1', WEBHOOK_RETRY_FACTOR: '0.00001' };

let service: TestApp;
let receiver: WebhookReceiver;
let calls: WebhookCalls;

beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  service = await startTestApp(QUICK, { workers: true });
  calls = new WebhookCalls(service, await service.createUser('treasurer', 'some long password', ['Finance']));
});
afterAll(async () => {
  await service.stop();
  await receiver.stop();
});

let count = 0;

/** A webhook with a path of its own. */
async function newWebhook(url?: string): Promise<{ id: number; secret: string; path: string }> {
  const path = `/hooks/${++count}`;
  const { id, secret } = await calls.create(url ?? receiver.url(path), ['contribution.reversed']);
  return { id, secret, path };
}

/** Causes an event, for all webhooks that are enabled. */
async function causeEvent(): Promise<void> {
  const { ContributionId } = await addedGift(service, {});
  await service.reverse(`${ContributionId}/txt`).expect(200);
}

async function onlyDelivery(id: number): Promise<DeliveryAnswer> {
  const [delivery, ...others] = await calls.settled(id);
  expect(others).toEqual([]);
  if (delivery === undefined) throw new Error('There is a delivery');
  return delivery;
}

async function end(id: number): Promise<void> {
  await calls.post(`Webhooks/${id}/disable`).expect(200);
}

describe('a delivery', () => {
  it('is tried again until the receiver takes it, with the same id and body and a signature of its own', async () => {
    const { id, secret, path } = await newWebhook();
    const answers = [500, 503, 404];
    receiver.behaviours.set(path, (response) => response.writeHead(answers.shift() ?? 200).end());
    await causeEvent();
    expect(await onlyDelivery(id)).toMatchObject({
      status: 'delivered',
      attempts: 4,
      lastStatus: 200,
      lastError: null,
    });
    const messages = receiver.at(path);
    expect(messages).toHaveLength(4);
    expect(new Set(messages.map((message) => message.id)).size).toBe(1);
    expect(new Set(messages.map(({ body }) => body)).size).toBe(1);
    expect(messages.every((message) => verifies(message, secret))).toBe(true);
    await end(id);
  });

  it.each([
    ['answers 500', answering(500), 500, 'The receiver answered 500.'],
    [
      'redirects',
      answering(302, { Location: '/elsewhere' }),
      302,
      'The receiver answered 302: redirects are not followed.',
    ],
    ['resets the connection', resetting, null, 'The connection was closed before an answer.'],
  ] as const)('is given up after ten attempts if the receiver always %s', async (_what, behaviour, status, error) => {
    const { id, path } = await newWebhook();
    receiver.behaviours.set(path, behaviour);
    await causeEvent();
    const delivery = await onlyDelivery(id);
    expect(delivery).toMatchObject({
      status: 'failed',
      attempts: 10,
      nextTry: null,
      lastStatus: status,
      lastError: error,
    });
    expect(receiver.at(path)).toHaveLength(10);
    expect(receiver.at('/elsewhere')).toEqual([]);
    await end(id);
  });

  it('is given up after ten attempts if nobody listens', async () => {
    const { id } = await newWebhook('http://127.0.0.1:1/');
    await causeEvent();
    const refused = { status: 'failed', attempts: 10, lastStatus: null, lastError: 'The connection was refused.' };
    expect(await onlyDelivery(id)).toMatchObject(refused);
    await end(id);
  });

  it('fails after ten seconds without an answer, and does not delay the deliveries of another webhook', async () => {
    const slow = await newWebhook();
    receiver.behaviours.set(slow.path, () => undefined);
    const quick = await newWebhook();
    const begin = performance.now();
    for (let i = 0; i < 25; i++) await causeEvent();
    const lastEvent = performance.now();
    await until(() => receiver.at(quick.path).length === 25);
    expect(performance.now() - lastEvent).toBeLessThan(10_000);
    await until(async () => (await calls.deliveries(slow.id)).some(({ attempts }) => attempts > 0));
    const [tried] = (await calls.deliveries(slow.id)).filter(({ attempts }) => attempts > 0);
    expect(tried).toMatchObject({ lastStatus: null, lastError: 'There was no answer within 10 seconds.' });
    expect(performance.now() - begin).toBeGreaterThan(9_500);
    await end(slow.id);
    await end(quick.id);
  });

  it('is made although the receiver sends a body without end, of which little is read', async () => {
    const { id, path } = await newWebhook();
    let cut = false;
    receiver.behaviours.set(path, (response, _message, socket) => {
      socket.on('close', () => (cut = true));
      response.writeHead(200);
      const pour = (): void => {
        if (!cut && response.write('x'.repeat(65_536))) setImmediate(pour);
        else if (!cut) response.once('drain', pour);
      };
      pour();
    });
    expect(await calls.test(id)).toMatchObject({ status: 'delivered', lastStatus: 200 });
    await until(() => cut);
    await end(id);
  });
});

describe('a receiver that answers 410', () => {
  it('ends its webhook: what waits is given up, and Finance is told', async () => {
    const { id, path } = await newWebhook();
    receiver.behaviours.set(path, answering(410));
    const changes = await changesRecordedBy(service, async () => {
      await causeEvent();
      await until(async () => (await calls.show(id)).status === 'gone');
    });
    expect(changes.filter(([, action]) => action.startsWith('webhook'))).toEqual([
      [expect.stringMatching(/^service: /), 'webhook.gone', `webhook ${id}`, {}],
    ]);
    // An event whose transaction does not see the end yet.
    await service.database.query(
      `INSERT INTO webhook_delivery (endpoint_id, message_id, type, data, next_try_at)
       VALUES ($1, gen_random_uuid(), 'bundle.closed', '{"bundleId": 1}', now())`,
      [id],
    );
    const [late, first] = await calls.settled(id);
    expect(first).toMatchObject({ status: 'failed', attempts: 1, lastStatus: 410 });
    expect(late).toMatchObject({ status: 'failed', attempts: 0, lastError: 'The webhook is disabled.' });
    expect((await service.get('Warnings', calls.finance).expect(200)).text).toContain(
      'Webhooks that their receivers have ended in the last days: 1',
    );
    await causeEvent();
    expect(receiver.at(path)).toHaveLength(1);
    await end(id);
    expect(await calls.show(id)).toMatchObject({ status: 'disabled', disabledBy: 'treasurer' });
  });
});

describe('a replay', () => {
  it('sends what was given up again, with the same id, and gives it ten more attempts', async () => {
    const { id, secret, path } = await newWebhook();
    receiver.behaviours.set(path, answering(500));
    await causeEvent();
    const { id: deliveryId } = await onlyDelivery(id);
    expect((await service.get('Warnings', calls.finance).expect(200)).text).toContain(
      'Webhooks with messages that were given up in the last days: ',
    );
    const before = receiver.at(path).length;
    await calls.post(`WebhookDeliveries/${deliveryId}/replay`).expect(200);
    expect(await onlyDelivery(id)).toMatchObject({ status: 'failed', attempts: 20 });
    expect(receiver.at(path)).toHaveLength(before + 10);
    receiver.behaviours.delete(path);
    expect((await calls.post(`Webhooks/${id}/replay`).expect(200)).body).toEqual({ toBeSent: 1 });
    expect(await onlyDelivery(id)).toMatchObject({ status: 'delivered', attempts: 21 });
    expect(new Set(receiver.at(path).map((message) => message.id)).size).toBe(1);
    expect(verifies(receiver.at(path).at(-1) ?? { body: '', headers: {} }, secret)).toBe(true);
    // Also what was delivered, for a receiver that has lost it.
    await calls.post(`WebhookDeliveries/${deliveryId}/replay`).expect(200);
    expect(await onlyDelivery(id)).toMatchObject({ status: 'delivered', attempts: 22 });
    await end(id);
    await calls.post(`WebhookDeliveries/${deliveryId}/replay`).expect(409);
    await calls.post(`Webhooks/${id}/replay`).expect(409);
  });
});

describe('a rotation', () => {
  it('signs with both secrets for a day, and a second one ends the first secret', async () => {
    const { id, secret: first, path } = await newWebhook();
    const rotate = async (SecretVersion: number): Promise<string> => {
      const answer = await calls.post(`Webhooks/${id}/rotate`, { SecretVersion }).expect(200);
      return (answer.body as { secret: string }).secret;
    };
    const accepted = async (...secrets: string[]): Promise<boolean[]> => {
      await calls.test(id);
      const message = receiver.at(path).at(-1) ?? { body: '', headers: {} };
      return secrets.map((secret) => verifies(message, secret));
    };
    const second = await rotate(1);
    expect(await accepted(first, second)).toEqual([true, true]);
    expect((await calls.post(`Webhooks/${id}/rotate`, { SecretVersion: 1 }).expect(409)).body).toMatchObject({
      code: 'webhook_changed',
      current: { id, secretVersion: 2 },
    });
    const third = await rotate(2);
    expect(await accepted(first, second, third)).toEqual([false, true, true]);
    const [{ hours } = { hours: 0 }] = await service.database.query<{ hours: number }>(
      `SELECT round(extract(epoch FROM former_secret_until - now()) / 3600)::integer AS hours FROM webhook_endpoint WHERE id = $1`,
      [id],
    );
    expect(hours).toBe(24);
    await service.database.query('UPDATE webhook_endpoint SET former_secret_until = now() WHERE id = $1', [id]);
    expect(await accepted(second, third)).toEqual([false, true]);
    expect(await calls.show(id)).toMatchObject({ formerSecretUntil: null, secretVersion: 3 });
    await end(id);
  });
});

describe('a test', () => {
  it('has one attempt, and a failed one is no trouble', async () => {
    const { id, path } = await newWebhook();
    receiver.behaviours.set(path, answering(500));
    expect(await calls.test(id)).toMatchObject({ type: 'webhook.test', status: 'failed', attempts: 1 });
    expect(await calls.show(id)).toMatchObject({ failed: 0 });
    expect((await calls.post(`Webhooks/${id}/replay`).expect(200)).body).toEqual({ toBeSent: 0 });
    await end(id);
    await calls.post(`Webhooks/${id}/test`).expect(409);
  });
});

it('delivered rows are deleted after 30 days, and those that were given up after 90', async () => {
  const { id } = await newWebhook();
  await service.database.query(
    `INSERT INTO webhook_delivery (endpoint_id, message_id, type, data, status, settled_at)
     SELECT $1, gen_random_uuid(), status || ' ' || days, '{}', status, now() - make_interval(days => days)
     FROM (VALUES ('delivered', 29), ('delivered', 31), ('failed', 89), ('failed', 91)) AS old (status, days)`,
    [id],
  );
  await service.database.query(`UPDATE job SET due_at = now() WHERE queue = 'purge-webhook-deliveries'`);
  await until(async () => (await calls.deliveries(id)).length === 2);
  expect((await calls.deliveries(id)).map(({ type }) => type).sort()).toEqual(['delivered 29', 'failed 89']);
  await end(id);
});
