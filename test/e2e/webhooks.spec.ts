import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { changesRecordedBy } from '../finance/finance-calls.js';
import { addedGift, readBack, sendGift } from '../contract/gift-requests.js';
import { completeGift } from '../contract/repeated-requests.js';
import { mergePersons } from '../support/merge-persons.js';
import { type Login, ROLES, startTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';
import { type ReceivedMessage, verifies, WebhookReceiver } from '../support/webhook-receiver.js';
import { DepositCalls } from './deposit-calls.js';
import { WebhookCalls } from './webhook-calls.js';

const ALL = ['contribution.recorded', 'contribution.reversed', 'person.merged', 'bundle.closed', 'deposit.reconciled'];
const OF_A_USER = ALL.filter((type) => type !== 'person.merged');
const PASSWORD = 'some long password';

let service: TestApp;
let receiver: WebhookReceiver;
let calls: WebhookCalls;
let deposits: DepositCalls;
let other: Login;

beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  service = await startTestApp({ WEBHOOK_ALLOW_PRIVATE: '1' }, { workers: true });
  const finance = await service.createUser('treasurer', PASSWORD, ['Finance']);
  other = await service.createUser('another', PASSWORD, ROLES);
  calls = new WebhookCalls(service, finance);
  deposits = new DepositCalls(service, finance);
});
afterEach(async () => {
  // Each test has webhooks of its own.
  const answer = await service.get('Webhooks', calls.finance).expect(200);
  for (const { id } of (answer.body as { webhooks: { id: number }[] }).webhooks) {
    await calls.post(`Webhooks/${id}/disable`).expect(200);
  }
});
afterAll(async () => {
  await service.stop();
  await receiver.stop();
});

let count = 0;
const newPath = (): string => `/hooks/${++count}`;

/** The only message of a path with this type, when it has arrived. */
async function messageOf(path: string, type: string): Promise<ReceivedMessage> {
  const found = (): ReceivedMessage[] => receiver.at(path).filter(({ content }) => content.type === type);
  await until(() => found().length > 0);
  expect(found()).toHaveLength(1);
  const [message] = found();
  if (message === undefined) throw new Error('There is a message');
  return message;
}

/** The types that were queued for a webhook, the oldest first. */
async function queuedFor(id: number): Promise<string[]> {
  return (await calls.deliveries(id)).map(({ type }) => type).reverse();
}

async function closeBundleOf(contributionId: number, login = calls.finance): Promise<number> {
  const { bundleId } = await readBack(service, contributionId);
  await service
    .http()
    .post(`/Api/Bundles/${bundleId}/close`)
    .auth(...login)
    .expect(200);
  return bundleId;
}

describe('a webhook', () => {
  it('is told of a gift, signed as the library verifies, with ids only', async () => {
    const path = newPath();
    const { secret, ...created } = await calls.create(receiver.url(path), ['contribution.recorded']);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(created).toMatchObject({ status: 'enabled', user: null, createdBy: 'treasurer', secretVersion: 1 });
    const sent = { First: 'Zebulon', Last: 'Quillfeather', Notes: 'for the organ', Amount: '12.34', Source: 'txt' };
    const { ContributionId, PeopleId } = await addedGift(service, sent);
    const message = await messageOf(path, 'contribution.recorded');
    expect(message.content).toEqual({
      type: 'contribution.recorded',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      data: { contributionId: ContributionId, peopleId: PeopleId },
    });
    expect(Object.keys(message.content)).toEqual(['type', 'timestamp', 'data']);
    expect(message.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': expect.stringMatching(/^msg_[0-9a-f-]{36}$/),
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
      'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
    });
    expect(verifies(message, secret)).toBe(true);
    expect(verifies({ ...message, body: message.body.replace(/\d/, '9') }, secret)).toBe(false);
    expect(verifies(message, `whsec_${Buffer.alloc(32).toString('base64')}`)).toBe(false);
    expect(await calls.settled(created.id)).toMatchObject([
      { type: 'contribution.recorded', status: 'delivered', attempts: 1, lastStatus: 204, lastError: null },
    ]);
  });

  it('is told of reversals, merges, closed bundles and reconciled deposits', async () => {
    const path = newPath();
    const { id, secret } = await calls.create(receiver.url(path), ALL);
    const gift = await addedGift(service, { Amount: '10' });
    await service.reverse(`${gift.ContributionId}/txt?amount=4`).expect(200);
    const entry = (await readBack(service, gift.ContributionId)).reversal;
    const duplicate = await addedGift(service, {});
    await mergePersons(service, { from: duplicate.PeopleId, into: gift.PeopleId });
    const paid = await deposits.gift({ Amount: '5', BundleTypeId: 2 });
    const deposit = await deposits.sent([paid.id], { Amount: '5' });
    await deposits.post(`Deposits/${deposit.id}/reconcile`).expect(200);
    const bundleId = await closeBundleOf(paid.id);
    const data = async (type: string): Promise<object> => {
      const message = await messageOf(path, type);
      expect(verifies(message, secret)).toBe(true);
      return message.content.data;
    };
    expect(await data('contribution.reversed')).toEqual({
      contributionId: gift.ContributionId,
      peopleId: gift.PeopleId,
      entries: [{ contributionId: gift.ContributionId, reversingContributionId: entry.contributionId }],
    });
    expect(await data('person.merged')).toEqual({ fromPeopleId: duplicate.PeopleId, intoPeopleId: gift.PeopleId });
    expect(await data('deposit.reconciled')).toEqual({ id: deposit.id });
    expect(await data('bundle.closed')).toEqual({ bundleId });
    expect((await calls.settled(id)).every(({ status }) => status === 'delivered')).toBe(true);
  });

  it('is told only of the events that it has chosen', async () => {
    const { id } = await calls.create(receiver.url(newPath()), ['contribution.reversed']);
    const { ContributionId } = await addedGift(service, {});
    await service.reverse(`${ContributionId}/txt`).expect(200);
    expect(await queuedFor(id)).toEqual(['contribution.reversed']);
  });

  it('is told once of a bundle, however it is closed', async () => {
    const { id } = await calls.create(receiver.url(newPath()), ['bundle.closed']);
    const one = await addedGift(service, { BundleTypeId: 1 });
    await closeBundleOf(one.ContributionId);
    await closeBundleOf(one.ContributionId);
    const several = await Promise.all([3, 5].map((BundleTypeId) => addedGift(service, { BundleTypeId, Amount: '3' })));
    const bundles = await Promise.all(several.map(async (gift) => readBack(service, gift.ContributionId)));
    const Bundles = bundles.map(({ bundleId }) => ({ BundleId: bundleId, Count: 1, Total: '3.00' }));
    await calls.post('Bundles/close', { Bundles }).expect(200);
    expect(await queuedFor(id)).toEqual(['bundle.closed', 'bundle.closed', 'bundle.closed']);
  });

  it('is told once of a gift that is sent again, of each gift of a batch, and of no gift that was not recorded', async () => {
    const { id } = await calls.create(receiver.url(newPath()), ['contribution.recorded']);
    const fields = completeGift({ Source: 'webhooks', TransactionId: 'once' });
    await sendGift(service, fields).expect(200);
    await sendGift(service, fields).expect(200);
    await service
      .http()
      .post('/Api/AddContribution?dryRun=true')
      .auth(...service.login)
      .send(completeGift())
      .expect(200);
    await sendGift(service, { FundId: 2_000_000_001 }).expect(422);
    expect(await queuedFor(id)).toHaveLength(1);
    const Gifts = [1, 2, 3].map((n) => completeGift({ Source: 'webhooks', TransactionId: `batch ${n}` }));
    await service
      .http()
      .post('/Api/AddContributions')
      .auth(...service.login)
      .send({ Gifts })
      .expect(200);
    expect(await queuedFor(id)).toHaveLength(4);
  });

  it('of a processor is told only of its own gifts, of their reversals by anybody, and of its own bundles and deposits', async () => {
    const { id } = await calls.create(receiver.url(newPath()), OF_A_USER, { User: 'another' });
    const strange = await deposits.gift({ Amount: '5', BundleTypeId: 6 });
    const strangeDeposit = await deposits.sent([strange.id], { Amount: '5' });
    await deposits.post(`Deposits/${strangeDeposit.id}/reconcile`).expect(200);
    await closeBundleOf(strange.id);
    await service.reverse(`${strange.id}/txt`, other).expect(200);
    expect(await queuedFor(id)).toEqual([]);

    const fields = completeGift({ Source: 'webhooks', TransactionId: 'own', BundleTypeId: 6 });
    const answer = await service.add(fields, other).expect(200);
    const { ContributionId } = answer.body as { ContributionId: number };
    const deposit = await service
      .http()
      .post('/Api/Deposits')
      .auth(...other)
      .send({ DepositId: 'own', Source: 'webhooks', Date: '2026-11-20', Amount: '10', Items: [{ ContributionId }] })
      .expect(200);
    await deposits.post(`Deposits/${(deposit.body as { id: number }).id}/reconcile`).expect(200);
    const { bundleId } = (await service.read(ContributionId, other).expect(200)).body as { bundleId: number };
    await calls.post(`Bundles/${bundleId}/close`).expect(200);
    await service.reverse(`${ContributionId}/txt`).expect(200);
    expect(await queuedFor(id)).toEqual([
      'contribution.recorded',
      'deposit.reconciled',
      'bundle.closed',
      'contribution.reversed',
    ]);
  });

  it('of a user is told of nothing while the user is disabled', async () => {
    const login = await service.createUser('ended', PASSWORD, ROLES);
    const { id } = await calls.create(receiver.url(newPath()), ['contribution.reversed'], { User: 'ended' });
    const gifts = [await service.add({}, login), await service.add({}, login)].map(
      ({ body }) => (body as { ContributionId: number }).ContributionId,
    );
    await service.reverse(`${gifts[0] ?? 0}/txt`).expect(200);
    await service.database.query("UPDATE app_user SET active = false WHERE username = 'ended'");
    await service.reverse(`${gifts[1] ?? 0}/txt`).expect(200);
    expect(await queuedFor(id)).toHaveLength(1);
  });

  it('is not told of a gift whose transaction is rolled back', async () => {
    const { id } = await calls.create(receiver.url(newPath()), ['contribution.recorded']);
    // The gift fails after its row was inserted, and its event was queued.
    await service.database.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not now'; END $$;
      CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON webhook_delivery DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION refuse()`);
    await sendGift(service, {}).expect(500);
    await service.database.query('DROP TRIGGER refuse ON webhook_delivery; DROP FUNCTION refuse');
    expect(await queuedFor(id)).toEqual([]);
    await addedGift(service, {});
    expect(await queuedFor(id)).toHaveLength(1);
  });

  it('is told of everything that begins after its creation, and of nothing after its end', async () => {
    const url = receiver.url(newPath());
    for (let round = 0; round < 10; round++) {
      const { id } = await calls.create(`${url}/${round}`, ['contribution.recorded']);
      await addedGift(service, {});
      await calls.post(`Webhooks/${id}/disable`).expect(200);
      await addedGift(service, {});
      expect(await queuedFor(id)).toHaveLength(1);
    }
  });
});

describe('creating a webhook', () => {
  it.each<[string, object, string]>([
    ['no URL', { Url: 'hooks' }, 'Url'],
    ['another scheme', { Url: 'ftp://example.org/' }, 'Url'],
    ['a password in the URL', { Url: 'https://a:b@example.org/' }, 'Url'],
    ['no events', { Events: [] }, 'Events'],
    ['an unknown event', { Events: ['gift.recorded'] }, 'Events'],
    ['an unknown user', { User: 'nobody' }, 'User'],
    ['a merge for the webhook of a user', { User: 'api', Events: ['person.merged'] }, 'Events'],
  ])('is refused with %s', async (_what, fields, field) => {
    const changes = await changesRecordedBy(service, async () => {
      const sent = { Url: 'https://example.org/', Events: ['bundle.closed'], ...fields };
      const answer = await calls.post('Webhooks', sent).expect(400);
      expect((answer.body as { errors: object[] }).errors).toEqual([expect.objectContaining({ field })]);
    });
    expect(changes).toEqual([]);
  });

  it('is refused for a URL and a user that have an enabled webhook, and is possible for another user', async () => {
    const url = receiver.url(newPath());
    const { id } = await calls.create(url, ['bundle.closed']);
    const again = { Url: url, Events: ['contribution.recorded'] };
    expect((await calls.post('Webhooks', again).expect(409)).body).toMatchObject({ code: 'webhook_exists' });
    await calls.create(url, ['bundle.closed'], { User: 'another' });
    await calls.post(`Webhooks/${id}/disable`).expect(200);
    const second = await calls.create(url, ['bundle.closed']);
    expect((await calls.post(`Webhooks/${id}/enable`).expect(409)).body).toMatchObject({ code: 'webhook_exists' });
    await calls.post(`Webhooks/${second.id}/disable`).expect(200);
    expect((await calls.post(`Webhooks/${id}/enable`).expect(200)).body).toMatchObject({ status: 'enabled' });
  });

  it('never shows the secret again, and names no secret in the audit trail', async () => {
    let created = { id: 0, secret: '' };
    const changes = await changesRecordedBy(service, async () => {
      created = await calls.create(receiver.url(newPath()), ['bundle.closed'], { User: 'api' });
      await calls.post(`Webhooks/${created.id}/rotate`, { SecretVersion: 1 }).expect(200);
      await calls.post(`Webhooks/${created.id}/disable`).expect(200);
      await calls.post(`Webhooks/${created.id}/disable`).expect(200);
      await calls.post(`Webhooks/${created.id}/enable`).expect(200);
    });
    const subject = `webhook ${created.id}`;
    expect(changes).toEqual([
      ['treasurer', 'webhook.create', subject, { events: ['bundle.closed'], user: 'api' }],
      ['treasurer', 'webhook.rotate', subject, {}],
      ['treasurer', 'webhook.disable', subject, {}],
      ['treasurer', 'webhook.enable', subject, {}],
    ]);
    for (const path of ['Webhooks', `Webhooks/${created.id}`]) {
      expect((await service.get(path, calls.finance).expect(200)).text).not.toContain('whsec_');
    }
  });
});
