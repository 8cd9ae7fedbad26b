import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type supertest from 'supertest';
import { requestDigest } from '../../src/idempotency/index.js';
import { holdLock } from '../support/held-lock.js';
import { assertLedgerInvariants } from '../support/ledger-invariants.js';
import { countLockWaits } from '../support/lock-waits.js';
import { type Login, ROLES, startTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';
import { addedGift, fillPool, refusal } from './gift-requests.js';
import { newKey, replay } from './repeated-requests.js';
import { entriesOf, newFund, noticesOf, splitGift, tally } from './reversal-requests.js';

let service: TestApp;
/** Another processor. */
let other: Login;
let roof: number;

beforeAll(async () => {
  service = await startTestApp();
  other = await service.createUser('other', 'correct horse battery', ROLES);
  roof = await newFund(service, 'Roof');
});
afterAll(async () => {
  await assertLedgerInvariants(service.database);
  await service.stop();
});

const newGift = async (fields: object = {}): Promise<number> =>
  (await addedGift(service, { Amount: '10', ...fields })).ContributionId;

let count = 0;
const newId = (): string => `re_${++count}`;

describe('a refund id', () => {
  it('makes a repeated call get the first answer', async () => {
    const [gift, id] = [await newGift(), newId()];
    const call = (): supertest.Test => service.reverse(`${gift}/a?amount=3&reason=refund&refundId=${id}`);
    const first = await call().expect(200);
    expect(first.headers['idempotency-replayed']).toBeUndefined();
    await replay(service, call, first);
    await replay(service, () => service.reverse(`${gift}/a?REASON=Refund&refundId=+${id}+&amount=3.00`), first);
    expect(await entriesOf(service, gift)).toMatchObject([{ amount: '-3.00', refund_id: id }]);
    expect(await noticesOf(service, gift)).toHaveLength(1);
  });

  it('gets the first answer even when nothing is left', async () => {
    const [gift, id] = [await newGift(), newId()];
    const first = await service.reverse(`${gift}/a?refundId=${id}`).expect(200);
    await replay(service, () => service.reverse(`${gift}/a?refundId=${id}`), first);
    await refusal(service, () => service.reverse(`${gift}/a?refundId=${newId()}`), 409, 'already_reversed');
  });

  it.each([
    ['another amount', 'amount=4'],
    ['no amount', ''],
    ['another reason', 'amount=3&reason=error'],
    ['a fund', 'amount=3&fundId=1'],
  ])('with %s is refused', async (_what, query) => {
    const [gift, id] = [await newGift(), newId()];
    await service.reverse(`${gift}/a?amount=3&refundId=${id}`).expect(200);
    const call = (): supertest.Test => service.reverse(`${gift}/a?${query}&refundId=${id}`);
    const { detail } = await refusal(service, call, 422, 'transaction_id_reused');
    expect(detail).toBe(`RefundId ${id} of this source was sent before, with other content.`);
  });

  it('for another gift is refused', async () => {
    const [gift, another, id] = [await newGift(), await newGift(), newId()];
    await service.reverse(`${gift}/a?refundId=${id}`).expect(200);
    await refusal(service, () => service.reverse(`${another}/a?refundId=${id}`), 422, 'transaction_id_reused');
  });

  it('is the same for each part of a payment, and for its transaction id', async () => {
    const fields = { Source: 'shop', TransactionId: `t-${newId()}` };
    const parts = await splitGift(
      service,
      [
        ['10', 1],
        ['20', roof],
      ],
      fields,
    );
    const id = newId();
    const first = await service.reverse(`${parts[1]}/shop?amount=3&refundId=${id}`).expect(200);
    await replay(service, () => service.reverse(`${parts[0]}/shop?amount=3&refundId=${id}`), first);
    const byTransaction = (): supertest.Test =>
      service
        .http()
        .post(`/Api/Transactions/shop/${fields.TransactionId}/reverse?amount=3&refundId=${id}`)
        .auth(...service.login);
    await replay(service, byTransaction, first);
  });

  it('belongs to its user and source', async () => {
    const [gift, id] = [await newGift(), newId()];
    for (const [source, login] of [
      ['a', service.login],
      ['b', service.login],
      ['a', other],
    ] as const) {
      const answer = await service.reverse(`${gift}/${source}?amount=1&refundId=${id}`, login).expect(200);
      expect(answer.headers['idempotency-replayed']).toBeUndefined();
    }
    expect(await entriesOf(service, gift)).toHaveLength(3);
  });

  it('is not used up by a refused call', async () => {
    const [gift, id] = [await newGift(), newId()];
    await service.reverse(`${gift}/a?amount=11&refundId=${id}`).expect(422);
    await service.reverse(`2000000001/a?refundId=${id}`).expect(404);
    await service.reverse(`${gift}/a?amount=10&refundId=${id}`).expect(200);
  });

  it('can be sent with an Idempotency-Key', async () => {
    const [gift, id, key] = [await newGift(), newId(), newKey()];
    const call = (under: string): supertest.Test =>
      service.reverse(`${gift}/a?amount=1&refundId=${id}`).set('Idempotency-Key', under);
    const first = await call(key).expect(200);
    await replay(service, () => call(key), first);
    await replay(service, () => call(newKey()), first);
    expect(await entriesOf(service, gift)).toHaveLength(1);
  });

  it('does not lead to the reversal of a reversing entry', async () => {
    const gift = await newGift();
    await service.reverse(`${gift}/a`).expect(200);
    const [entry] = await entriesOf(service, gift);
    await refusal(service, () => service.reverse(`${entry?.id}/a?refundId=${newId()}`), 409, 'not_reversible');
  });

  it('takes an amount back once, of 20 calls at once', async () => {
    const [gift, id] = [await newGift(), newId()];
    await fillPool(service);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => service.reverse(`${gift}/a?amount=3&refundId=${id}`)),
    );
    expect(tally(answers)).toEqual({ 200: 20 });
    expect(answers.filter(({ headers }) => headers['idempotency-replayed'] === 'true')).toHaveLength(19);
    expect(await entriesOf(service, gift)).toHaveLength(1);
  });

  it('of a call that is still in progress gets 409 after the time limit of locks', async () => {
    const [gift, id] = [await newGift(), newId()];
    const held = await holdLock(
      service.database.url,
      `INSERT INTO refund (user_id, source, refund_id, request_digest, request_version)
       SELECT id, 'a', $2, '', 2 FROM app_user WHERE username = $1`,
      [service.login[0], id],
    );
    const call = (): supertest.Test => service.reverse(`${gift}/a?amount=3&refundId=${id}`);
    const { detail } = await refusal(service, call, 409, 'request_in_progress');
    expect(detail).toContain('same refundId');
    const waiting = call().then((answer) => answer);
    await until(async () => (await countLockWaits(service.database)) > 0);
    await held.rollBack();
    expect((await waiting).status).toBe(200);
  });
});

describe('an Idempotency-Key', () => {
  const digestOf = async (key: string): Promise<Buffer | undefined> => {
    const [row] = await service.database.query<{ request_digest: Buffer }>(
      'SELECT request_digest FROM idempotency_key WHERE key = $1',
      [key],
    );
    return row?.request_digest;
  };

  it('covers without a query exactly what it covered before there was one', async () => {
    const [gift, key] = [await newGift(), newKey()];
    await service.reverse(`${gift}/a`).set('Idempotency-Key', key).expect(200);
    expect(await digestOf(key)).toEqual(requestDigest({ contributionId: gift, source: 'a' }));
  });

  it('covers all that is in the query', async () => {
    const [gift, key] = [await newGift(), newKey()];
    const call = (query: string): supertest.Test => service.reverse(`${gift}/a${query}`).set('Idempotency-Key', key);
    const first = await call('?amount=3').expect(200);
    await replay(service, () => call('?amount=3.00'), first);
    for (const query of ['', '?amount=4', '?amount=3&reason=refund', '?amount=3&fundId=1', '?amount=3&refundId=x'])
      await refusal(service, () => call(query), 422, 'idempotency_key_reused');
  });
});
