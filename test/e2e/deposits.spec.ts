import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { changesRecordedBy } from '../finance/finance-calls.js';
import { refusal } from '../contract/gift-requests.js';
import { assertLedgerInvariants } from '../support/ledger-invariants.js';
import { ROLES, startTestApp, type TestApp } from '../support/test-app.js';
import { type DepositAnswer, DepositCalls, unique } from './deposit-calls.js';

let service: TestApp;
let calls: DepositCalls;

beforeAll(async () => {
  service = await startTestApp();
  calls = new DepositCalls(service, await service.createUser('treasurer', 'some long password', ['Finance']));
});
afterAll(async () => {
  await assertLedgerInvariants(service.database);
  await service.stop();
});

/** Four gifts of together 1,660 with fees of 49.34. */
async function fourGifts(): Promise<number[]> {
  const ids: number[] = [];
  for (const [Amount, Fee] of [
    ['1000', '29.30'],
    ['500', '14.80'],
    ['150', '4.65'],
    ['10', '0.59'],
  ])
    ids.push((await calls.gift({ Amount, Fee })).id);
  return ids;
}

describe('a deposit of four gifts of 1,660 with fees of 49.34', () => {
  it('matches 1,610.66, and is reconciled', async () => {
    const sent = await calls.sent(await fourGifts(), { Amount: '1610.66' });
    expect(sent).toMatchObject({
      status: 'Matches',
      itemCount: 4,
      unknownCount: 0,
      gross: '1660.00',
      fees: '49.34',
      reversed: '0.00',
      expected: '1610.66',
      amount: '1610.66',
      difference: '0.00',
      user: 'api',
      reconciledAt: null,
    });
    expect(await calls.read(sent.id)).toMatchObject({ status: 'Matches', adjusted: '0.00', createdBy: 'api' });
    const reconciled = await calls
      .post(`Deposits/${sent.id}/reconcile`, { ItemCount: 4, Expected: '1610.66' })
      .expect(200);
    expect(reconciled.body).toMatchObject({ status: 'Reconciled', reconciledBy: 'treasurer', difference: '0.00' });
  });

  it('differs from 1,610.65 by 0.01, and cannot be reconciled without an adjustment', async () => {
    const { id, ...sent } = await calls.sent(await fourGifts(), { Amount: '1610.65' });
    expect(sent).toMatchObject({ status: 'Differs', expected: '1610.66', difference: '-0.01' });
    const { detail, current } = await refusal(
      service,
      () => calls.post(`Deposits/${id}/reconcile`),
      409,
      'deposit_differs',
    );
    expect(detail).toBe(`Deposit ${id} differs by USD -0.01. It was not reconciled.`);
    expect(current).toMatchObject({ id, status: 'Differs', difference: '-0.01' });
    const adjusted = await calls.post(`Deposits/${id}/adjust`, { Amount: '-0.01', Reason: 'Rounded' }).expect(200);
    expect(adjusted.body).toMatchObject({
      status: 'Matches',
      adjusted: '-0.01',
      expected: '1610.65',
      difference: '0.00',
    });
    await calls.post(`Deposits/${id}/reconcile`).expect(200);
    expect(await calls.read(id)).toMatchObject({
      status: 'Reconciled',
      adjustments: [{ amount: '-0.01', reason: 'Rounded', by: 'treasurer' }],
      likelyCauses: [],
    });
  });

  it('has a refund in between, which is deducted', async () => {
    const ids = await fourGifts();
    const reversalId = await calls.reverse(ids[3] ?? 0);
    const Items = [...ids.map((ContributionId) => ({ ContributionId })), { ReversalOf: ids[3], Fee: '0.25' }];
    const body = await calls.accepted({ Items, Amount: '1600.41' });
    expect(body).toMatchObject({ status: 'Matches', itemCount: 5, gross: '1660.00', fees: '49.59', reversed: '10.00' });
    const { items } = await calls.read(body.id);
    expect(items.at(-1)).toMatchObject({
      kind: 'Reversal',
      reversalId,
      paymentId: ids[3],
      amount: '10.00',
      fee: '0.25',
      giftFee: null,
      funds: ['General'],
    });
  });
});

describe('an item', () => {
  it('is shown with its giver, amount, fee, method, funds and bundle', async () => {
    const fields = { Amount: '30', Fee: '1.20', Method: 'card', First: 'Zoe', Last: 'Kay', Email: 'zoe@example.org' };
    const { id, transactionId } = await calls.gift(fields);
    const { peopleId, bundleId } = (await service.read(id).expect(200)).body as { peopleId: number; bundleId: number };
    const deposit = await calls.sent([id], { Amount: '28.80' });
    expect(await calls.read(deposit.id)).toMatchObject({
      items: [
        {
          kind: 'Payment',
          paymentId: id,
          reversalId: null,
          transactionId,
          refundId: null,
          amount: '30.00',
          fee: '1.20',
          giftFee: '1.20',
          giver: { peopleId, first: 'Zoe', last: 'Kay' },
          method: 'card',
          funds: ['General'],
          bundleIds: [bundleId],
          reversedAmount: '0.00',
          addedBy: 'api',
          removedBy: null,
        },
      ],
      next: null,
      bundles: [{ bundleId, status: 'Open', user: 'api', count: 1, total: '30.00' }],
      reversedSince: [],
      adjustments: [],
    });
  });

  it('is the whole payment, whichever part names it', async () => {
    const { id } = await calls.gift({
      Amount: '100',
      Splits: [
        { FundId: 1, Amount: '60' },
        { FundId: 1, Amount: '40' },
      ],
    });
    const [, second = 0] = ((await service.read(id)).body as { payment: { parts: number[] } }).payment.parts;
    const deposit = await calls.sent([second, id]);
    expect(deposit).toMatchObject({ itemCount: 1, gross: '100.00', status: 'Open', difference: null });
    expect((await calls.read(deposit.id)).bundles).toMatchObject([{ count: 2, total: '100.00' }]);
  });

  it('has the fee that the deposit names, and the gift keeps its own', async () => {
    const { id } = await calls.gift({ Amount: '50', Fee: '1.75' });
    const body = await calls.accepted({ Items: [{ ContributionId: id, Fee: '2.00' }], Amount: '48.25' });
    expect(body).toMatchObject({ fees: '2.00', expected: '48.00', difference: '0.25' });
    expect((await service.read(id)).body).toMatchObject({ payment: { fee: '1.75' } });
    expect((await calls.read(body.id)).likelyCauses).toMatchObject([
      { code: 'fee_differs', amount: '0.25', explains: true, count: 1 },
    ]);
  });

  it('of a gift that another user has added does not exist for a processor', async () => {
    const other = await service.createUser('other processor', 'some long password', ROLES);
    const { ContributionId } = (await service.add({}, other).expect(200)).body as { ContributionId: number };
    const send = (): ReturnType<typeof calls.send> => calls.send({ Items: [{ ContributionId }] });
    const { detail } = await refusal(service, send, 422, 'deposit_item_not_found');
    expect(detail).toContain(`Item 1: there is no contribution ${ContributionId}`);
    expect(await service.database.query('SELECT FROM deposit WHERE item_count = 0')).toEqual([]);
    const Items = [{ ContributionId }];
    await calls.post('Deposits/enter', { DepositId: unique('f'), Source: 'x', Date: '2026-11-20', Items }).expect(200);
  });

  it.each<[string, object, string]>([
    ['nothing', {}, 'must have exactly one of'],
    ['two things', { ContributionId: 1, TransactionId: 'T' }, 'must have exactly one of'],
    ['a payment with a refund', { ContributionId: 1, RefundId: 're' }, 'RefundId belongs to a reversal'],
    ['an id with a source', { ContributionId: 1, Source: 'a' }, 'Source belongs to TransactionId'],
    ['a negative fee', { ContributionId: 1, Fee: '-1' }, 'must not be negative'],
    ['an unknown field', { ContributionId: 1, Amount: '1' }, 'is not a field of this call'],
  ])('that names %s is refused', async (_what, item, message) => {
    const { errors } = await refusal(service, () => calls.send({ Items: [item] }), 400, 'invalid_request');
    expect(errors?.[0]).toMatchObject({ field: 'Items', message: expect.stringContaining(message) as unknown });
  });

  it.each<[string, object]>([
    ['no DepositId', { DepositId: undefined }],
    ['no Date', { Date: undefined }],
    ['no day', { Date: '2026-02-30' }],
    ['a day before 1900', { Date: '0000-01-01' }],
    ['no amount', { Amount: '1,000' }],
    ['an unknown field', { Total: '1' }],
    ['1,001 items', { Items: Array.from({ length: 1001 }, (_, i) => ({ TransactionId: `x${i}` })) }],
  ])('a deposit with %s is refused', async (_what, fields) => {
    await refusal(service, () => calls.send(fields), 400, 'invalid_request');
  });
});

describe('a deposit that is sent again', () => {
  it('is replayed, adds what is new, and is refused with other content', async () => {
    const [one = 0, two = 0, three = 0] = await calls.gifts('11', '12', '13');
    const DepositId = unique('po');
    const call = (ids: readonly number[], fields: object = {}): ReturnType<typeof calls.send> =>
      calls.send({ DepositId, Amount: '23', Items: ids.map((ContributionId) => ({ ContributionId })), ...fields });
    const first = await call([one, two]).expect(200);
    expect(first.headers['idempotency-replayed']).toBeUndefined();
    const again = await call([two, one]).expect(200);
    expect([again.body, again.headers['idempotency-replayed']]).toEqual([first.body, 'true']);
    const more = await call([two, three]).expect(200);
    expect(more.body).toMatchObject({ id: (first.body as DepositAnswer).id, itemCount: 3, gross: '36.00' });
    expect(more.headers['idempotency-replayed']).toBeUndefined();
    for (const [fields, other] of [
      [{ Amount: '24' }, 'another Amount'],
      [{ Amount: undefined }, 'another Amount'],
      [{ Date: '2026-11-21' }, 'another Date'],
      [{ Items: [{ ContributionId: one, Fee: '1' }] }, `another Fee of contribution ${one}`],
    ] as const) {
      const { detail } = await refusal(service, () => call([one], fields), 422, 'deposit_id_reused');
      expect(detail).toContain(other);
    }
  });

  it('after it was reconciled is replayed, and takes nothing new', async () => {
    const [one = 0, two = 0] = await calls.gifts('11', '12');
    const DepositId = unique('po');
    const send = (id: number): ReturnType<typeof calls.send> =>
      calls.send({ DepositId, Amount: '11', Items: [{ ContributionId: id }] });
    const { id } = (await send(one).expect(200)).body as DepositAnswer;
    await calls.post(`Deposits/${id}/reconcile`).expect(200);
    expect((await send(one).expect(200)).headers['idempotency-replayed']).toBe('true');
    await refusal(service, () => send(two), 409, 'deposit_reconciled');
  });

  it('by two calls at once is stored once', async () => {
    const ids = await calls.gifts('1', '2', '3');
    const DepositId = unique('po');
    const answers = await Promise.all([ids, [...ids].reverse()].map((some) => calls.sent(some, { DepositId })));
    expect(answers[0]?.id).toBe(answers[1]?.id);
    expect(await calls.read(answers[0]?.id ?? 0)).toMatchObject({ itemCount: 3, gross: '6.00' });
  });
});

describe('two deposits cannot hold', () => {
  it('the same payment', async () => {
    const [one = 0, two = 0] = await calls.gifts('11', '12');
    const { id } = await calls.sent([one]);
    const { detail } = await refusal(
      service,
      () => calls.send({ Items: [{ ContributionId: two }, { ContributionId: one }] }),
      409,
      'in_other_deposit',
    );
    expect(detail).toBe(`Contribution ${one} is in deposit ${id} already. Nothing was stored.`);
    expect(await calls.sent([two])).toMatchObject({ itemCount: 1 });
  });

  it('the same reversal', async () => {
    const [one = 0] = await calls.gifts('11');
    await calls.reverse(one);
    const Items = [{ ReversalOf: one }];
    await calls.send({ Items }).expect(200);
    await refusal(service, () => calls.send({ Items }), 409, 'in_other_deposit');
  });

  it('the same payments, even if two clients try at once', async () => {
    for (let round = 0; round < 5; round++) {
      const ids = await calls.gifts('1', '2', '3', '4');
      const answers = await Promise.all(
        [ids, [...ids].reverse(), ids].map((some) =>
          calls.send({ Items: some.map((ContributionId) => ({ ContributionId })) }).then(({ status }) => status),
        ),
      );
      expect(answers.sort()).toEqual([200, 409, 409]);
    }
  });
});

describe('changes of deposits', () => {
  it('are in the audit trail with their authors', async () => {
    const [one = 0, two = 0] = await calls.gifts('11', '12');
    let id = 0;
    const changes = await changesRecordedBy(service, async () => {
      ({ id } = await calls.sent([one, two], { Amount: '10' }));
      const { items } = await calls.read(id);
      await calls.post(`Deposits/${id}/items/remove`, { ItemIds: [items[1]?.itemId], Reason: 'Later' }).expect(200);
      await calls.post(`Deposits/${id}/bank`, { Date: '2026-11-23', Amount: '10.50', Reference: 'L4' }).expect(200);
      await calls.post(`Deposits/${id}/bank`, { Date: '2026-11-23', Amount: '10.50', Reference: 'L4' }).expect(200);
      await calls.post(`Deposits/${id}/adjust`, { Amount: '-0.50', Reason: 'Monthly fee' }).expect(200);
      await calls.post(`Deposits/${id}/reconcile`).expect(200);
      await calls.post(`Deposits/${id}/reconcile`).expect(200);
    });
    expect(changes.map(([actor, action, subject]) => [actor, action, subject])).toEqual([
      ['api', 'deposit.add', `deposit ${id}`],
      ['treasurer', 'deposit.remove', `deposit ${id}`],
      ['treasurer', 'deposit.bank', `deposit ${id}`],
      ['treasurer', 'deposit.adjust', `deposit ${id}`],
      ['treasurer', 'deposit.reconcile', `deposit ${id}`],
    ]);
    expect(JSON.stringify(changes)).not.toMatch(/Later|Monthly|L4/);
  });
});
