import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Login, startTestApp, type TestApp } from '../support/test-app.js';
import { changesRecordedBy, postAs } from './finance-calls.js';
import { addedGift, type Problem, refusal } from '../contract/gift-requests.js';

let service: TestApp;
let finance: Login;
let contributionId: number;

beforeAll(async () => {
  // Without workers: the deliveries are added here, and nothing is sent.
  service = await startTestApp();
  finance = await service.createUser('treasurer', 'some long password', ['Finance'], 'treasurer@example.org');
  contributionId = (await addedGift(service, {})).ContributionId;
  await service.reverse(`${contributionId}/notices`).expect(200);
});
afterAll(() => service.stop());

const INSTANT = /^\d{4}-.*\.\d{3}Z$/;

interface Delivery {
  readonly id: number | null;
  readonly status: string;
}

interface Page {
  readonly deliveries: readonly Delivery[];
  readonly next: number | null;
}

const list = async (query = ''): Promise<Page> =>
  (await service.get(`Notices${query}`, finance).expect(200)).body as Page;

async function delivery(status: string, recipient: string): Promise<number> {
  const [row] = await service.database.query<{ id: number }>(
    `INSERT INTO delivery (notice_id, recipient, message_id, status, attempts, last_error, next_try_at, sent_at)
     SELECT id, $2, '<' || $2 || '>', $1, 3, CASE WHEN $1 <> 'sent' THEN '451 not now' END,
       CASE WHEN $1 = 'pending' THEN now() + interval '1 hour' END, CASE WHEN $1 = 'sent' THEN now() END
     FROM notice RETURNING id`,
    [status, recipient],
  );
  return row?.id ?? 0;
}

it('a notice without a recipient is listed with what it waits for', async () => {
  expect(await list()).toEqual({
    deliveries: [
      {
        ...{
          id: null,
          contributionId,
          recipient: null,
          status: 'pending',
          attempts: 0,
          nextTry: null,
          lastError: null,
          sentAt: null,
        },
        ...{ amount: '10.00', currency: 'USD', reason: null, reversedAt: expect.stringMatching(INSTANT) },
        note: expect.stringContaining('sent within a minute'),
      },
    ],
    next: null,
  });
});

describe('deliveries', () => {
  let failed: number;
  let sent: number;
  let pending: number;

  beforeAll(async () => {
    failed = await delivery('failed', 'failed@example.org');
    sent = await delivery('sent', 'sent@example.org');
    pending = await delivery('pending', 'pending@example.org');
  });

  it('are listed with status, recipient, tries, next try and last error, the newest first', async () => {
    const reversal = { amount: '10.00', currency: 'USD', reason: null, reversedAt: expect.stringMatching(INSTANT) };
    const common = { contributionId, ...reversal, attempts: 3, note: null, sentAt: null };
    expect((await list()).deliveries).toEqual([
      {
        ...{ ...common, id: pending, recipient: 'pending@example.org', status: 'pending', lastError: '451 not now' },
        nextTry: expect.stringMatching(INSTANT),
      },
      {
        ...{ ...common, id: sent, recipient: 'sent@example.org', status: 'sent', lastError: null, nextTry: null },
        sentAt: expect.stringMatching(INSTANT),
      },
      {
        ...common,
        id: failed,
        recipient: 'failed@example.org',
        status: 'failed',
        lastError: '451 not now',
        nextTry: null,
      },
    ]);
    expect((await list('?status=FAILED')).deliveries.map(({ id }) => id)).toEqual([failed]);
    expect((await list('?status=unsent')).deliveries.map(({ id }) => id)).toEqual([pending, failed]);
    expect((await list(`?before=${sent}`)).deliveries.map(({ id }) => id)).toEqual([failed]);
    const shown = await service.get(`Notices/${sent}`, finance).expect(200);
    expect(shown.body).toMatchObject({ id: sent, messageId: '<sent@example.org>', sentAt: expect.any(String) });
  });

  it('are tried again, by name of the user, and those who became recipients since get the notice, too', async () => {
    let answer: unknown;
    const changes = await changesRecordedBy(service, async () => {
      answer = (await postAs(service, finance, `Notices/${failed}/retry`).expect(200)).body;
    });
    expect(answer).toMatchObject({ id: failed, status: 'pending', nextTry: expect.any(String) });
    expect(changes).toEqual([['treasurer', 'notification.retry', `delivery ${failed}`, {}]]);
    const recipients = await service.database.query(
      `SELECT status FROM delivery WHERE recipient = 'treasurer@example.org'`,
    );
    expect(recipients).toEqual([{ status: 'pending' }]);
  });

  it('are queued once, however often they are tried again at the same time', async () => {
    await Promise.all([1, 2, 3].map(() => postAs(service, finance, `Notices/${pending}/retry`).expect(200)));
    const jobs = await service.database.query(
      `SELECT FROM job WHERE queue = 'send-delivery' AND data = jsonb_build_object('deliveryId', $1::integer)`,
      [pending],
    );
    expect(jobs).toHaveLength(1);
  });

  it('that were sent meanwhile are not sent again; the answer shows them', async () => {
    const problem = await refusal(
      service,
      () => postAs(service, finance, `Notices/${sent}/retry`),
      409,
      'delivery_sent',
    );
    expect(problem.current).toMatchObject({ id: sent, status: 'sent' });
  });

  it('that do not exist are not found', async () => {
    await refusal(service, () => postAs(service, finance, 'Notices/2000000001/retry'), 404, 'delivery_not_found');
    const answer = await service.get('Notices/2000000001', finance).expect(404);
    expect((answer.body as Problem).code).toBe('delivery_not_found');
  });

  it.each(['?status=lost', '?before=x', '?status='])('are not listed with %s', async (query) => {
    await service.get(`Notices${query}`, finance).expect(400);
  });

  it('have pages of 200', async () => {
    await service.database.query(`
      INSERT INTO delivery (notice_id, recipient, message_id)
      SELECT n.id, i || '@example.org', i::text FROM notice n, generate_series(1, 250) i`);
    const first = await list();
    expect(first.deliveries).toHaveLength(200);
    expect(first.next).toBe(first.deliveries.at(-1)?.id);
    const rest = await list(`?before=${first.next}`);
    expect(rest.next).toBeNull();
    const ids = [...first.deliveries, ...rest.deliveries].map(({ id }) => id);
    expect(new Set(ids).size).toBe(254);
  });

  it('have pages of 200 also if many notices wait for a recipient, which come first', async () => {
    const answer = await service.add({ Amount: '10' }).expect(200);
    const { ContributionId } = answer.body as { readonly ContributionId: number };
    for (let count = 0; count <= 200; count++) await service.reverse(`${ContributionId}/x?amount=0.01`).expect(200);
    const first = await list();
    expect(first.deliveries.filter(({ id }) => id === null)).toHaveLength(200);
    const own = first.deliveries.filter(({ id }) => id !== null);
    expect(own).toHaveLength(200);
    expect(first.next).toBe(own.at(-1)?.id);
    const rest = await list(`?before=${first.next}`);
    expect(rest.deliveries.filter(({ id }) => id === null)).toEqual([]);
    expect(new Set([...own, ...rest.deliveries].map(({ id }) => id)).size).toBe(254);
    expect((await list('?status=sent')).deliveries.filter(({ id }) => id === null)).toEqual([]);
  });
});
