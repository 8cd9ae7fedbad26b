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

describe('an item that is not in the books', () => {
  it('is kept, keeps the deposit from being reconciled, and is found when the gift arrives', async () => {
    const TransactionId = unique('late');
    const { id, ...sent } = await calls.accepted({ Items: [{ TransactionId }], Amount: '0' });
    expect(sent).toMatchObject({ status: 'Differs', itemCount: 1, unknownCount: 1, gross: '0.00', difference: '0.00' });
    const problem = await refusal(service, () => calls.post(`Deposits/${id}/reconcile`), 409, 'deposit_differs');
    expect(problem.detail).toContain('not in the books: 1');
    await calls.post(`Deposits/${id}/bank`, { Date: '2026-11-23', Amount: '9.41' }).expect(200);
    expect((await calls.read(id)).likelyCauses).toMatchObject([
      { code: 'bank_amount_differs', amount: '9.41', explains: true },
      { code: 'not_in_books', words: `1 item is not in the books: TransactionId ${TransactionId}.`, amount: null },
    ]);
    const gift = await calls.gift({ Amount: '10', Fee: '0.59', TransactionId });
    const changes = await changesRecordedBy(service, async () => {
      expect(await calls.read(id)).toMatchObject({
        status: 'Matches',
        unknownCount: 0,
        gross: '10.00',
        fees: '0.59',
        items: [{ paymentId: gift.id, transactionId: TransactionId, fee: '0.59' }],
      });
    });
    expect(changes).toEqual([[expect.stringMatching(/^service: /), 'deposit.find', `deposit ${id}`, { items: 1 }]]);
    expect(await changesRecordedBy(service, () => calls.read(id))).toEqual([]);
    expect((await service.read(gift.id)).body).toMatchObject({ payment: { deposit: { id, reconciledAt: null } } });
    await calls.post(`Deposits/${id}/reconcile`).expect(200);
  });

  it('is found by the list, by a repeated call, and when the deposit is reconciled', async () => {
    for (const find of [
      async (): Promise<unknown> => service.get('Deposits', calls.finance).expect(200),
      async (_id: number, again: () => Promise<unknown>): Promise<unknown> => again(),
      async (id: number): Promise<unknown> => calls.post(`Deposits/${id}/reconcile`).expect(200),
    ]) {
      const TransactionId = unique('late');
      const fields = { DepositId: unique('po'), Items: [{ TransactionId, Fee: '1' }], Amount: '9' };
      const { id } = await calls.accepted(fields);
      await calls.gift({ Amount: '10', Fee: '0.59', TransactionId });
      await find(id, () => calls.accepted(fields));
      const [row] = await service.database.query<object>(
        `SELECT gross::text, fees::text, unknown_count FROM deposit WHERE id = ${id}`,
      );
      expect(row).toEqual({ gross: '10.00', fees: '1.00', unknown_count: 0 });
    }
  });

  it('belongs to the first deposit if two have named it', async () => {
    const TransactionId = unique('late');
    const first = await calls.accepted({ Items: [{ TransactionId }], Amount: '10' });
    const second = await calls.accepted({ Items: [{ TransactionId }], Amount: '10' });
    await calls.gift({ TransactionId });
    await service.get('Deposits', calls.finance).expect(200);
    expect(await calls.read(first.id)).toMatchObject({ status: 'Matches' });
    expect(await calls.read(second.id)).toMatchObject({
      status: 'Differs',
      unknownCount: 1,
      likelyCauses: [{ code: 'in_other_deposit', amount: '10.00', explains: true, count: 1 }],
    });
    const [{ itemId } = { itemId: 0 }] = (await calls.read(first.id)).items;
    await calls.post(`Deposits/${first.id}/items/remove`, { ItemIds: [itemId], Reason: 'Not there' }).expect(200);
    expect(await calls.read(second.id)).toMatchObject({ status: 'Matches', unknownCount: 0 });
  });

  it('is another user’s gift only in a deposit of Finance', async () => {
    const other = await service.createUser('a second processor', 'some long password', ROLES);
    const TransactionId = unique('theirs');
    const items = { Items: [{ TransactionId }], Amount: '10' };
    const own = await calls.accepted(items);
    await service.add({ Source: 'txt2give', TransactionId, Amount: '10' }, other).expect(200);
    expect(await calls.read(own.id)).toMatchObject({ unknownCount: 1 });
    const fields = { DepositId: unique('f'), Source: 'txt2give', Date: '2026-11-20', ...items };
    const entered = await calls.post('Deposits/enter', fields).expect(200);
    expect(entered.body).toMatchObject({ status: 'Matches', user: null, createdBy: 'treasurer' });
    await calls.gift({ TransactionId });
    const twice = { ...fields, DepositId: unique('f') };
    const refused = await refusal(service, () => calls.post('Deposits/enter', twice), 422, 'deposit_item_unclear');
    expect(refused.detail).toContain('several users have sent');
  });

  it('that Finance has added is found when any user’s gift arrives, also in the deposit of a processor', async () => {
    const other = await service.createUser(unique('processor'), 'some long password', ROLES);
    const [own] = await calls.gifts('11');
    const processors = await calls.sent([own ?? 0]);
    const entered = { DepositId: unique('f'), Source: 'txt2give', Date: '2026-11-20' };
    const finances = await calls.post('Deposits/enter', entered).expect(200);
    for (const id of [processors.id, (finances.body as DepositAnswer).id]) {
      const TransactionId = unique('theirs');
      const added = await calls.post(`Deposits/${id}/items`, { Items: [{ TransactionId }] }).expect(200);
      expect(added.body).toMatchObject({ unknownCount: 1 });
      const sent = await service.add({ Source: 'txt2give', TransactionId, Amount: '7' }, other).expect(200);
      const { ContributionId } = sent.body as { ContributionId: number };
      const found = await calls.read(id);
      expect(found.unknownCount).toBe(0);
      expect(found.items.at(-1)).toMatchObject({ paymentId: ContributionId });
    }
  });

  it('that Finance has added is the gift of the user that it names', async () => {
    const name = unique('processor');
    const other = await service.createUser(name, 'some long password', ROLES);
    const { id } = await calls.sent(await calls.gifts('11'));
    const TransactionId = unique('twice');
    const Items = [{ TransactionId, User: name }];
    await calls.post(`Deposits/${id}/items`, { Items }).expect(200);
    const nobody = await calls.gift({ TransactionId });
    expect(await calls.read(id)).toMatchObject({ unknownCount: 1 });
    const sent = await service.add({ Source: 'txt2give', TransactionId, Amount: '7' }, other).expect(200);
    const { ContributionId } = sent.body as { ContributionId: number };
    expect((await calls.read(id)).items.at(-1)).toMatchObject({ paymentId: ContributionId });
    // Named again, it is there already. That of the deposit's own processor is another one.
    const again = await calls.post(`Deposits/${id}/items`, { Items }).expect(200);
    expect(again.headers['idempotency-replayed']).toBe('true');
    const ofApi = await calls.post(`Deposits/${id}/items`, { Items: [{ TransactionId, User: 'api' }] }).expect(200);
    expect(ofApi.body).toMatchObject({ itemCount: 3, unknownCount: 0 });
    expect((await calls.read(id)).items.at(-1)).toMatchObject({ paymentId: nobody.id });
  });

  it('that Finance has added is that of the deposit’s processor if several users have sent one', async () => {
    const other = await service.createUser(unique('processor'), 'some long password', ROLES);
    const { id } = await calls.sent(await calls.gifts('11'));
    const TransactionId = unique('twice');
    await calls.post(`Deposits/${id}/items`, { Items: [{ TransactionId }] }).expect(200);
    await service.add({ Source: 'txt2give', TransactionId, Amount: '7' }, other).expect(200);
    const own = await calls.gift({ TransactionId });
    expect((await calls.read(id)).items.at(-1)).toMatchObject({ paymentId: own.id });
  });

  it('is found although many others can mean several gifts, are in another currency, or mean several reversals', async () => {
    const other = await service.createUser(unique('processor'), 'some long password', ROLES);
    const enter = async (Items: readonly object[]): Promise<number> => {
      const sent = { DepositId: unique('f'), Source: 'txt2give', Date: '2026-11-20', Items };
      return ((await calls.post('Deposits/enter', sent).expect(200)).body as DepositAnswer).id;
    };
    // One search completes 50 deposits. These come first, and none of their items can be found.
    const twice = unique('twice');
    const reversed = await calls.gift({ Amount: '50' });
    const euros = unique('euros');
    const unclear = [{ TransactionId: twice }, { ReversalOf: reversed.id }, { TransactionId: euros }];
    for (let i = 0; i < 51; i++) await enter(unclear);
    await calls.gift({ TransactionId: twice });
    await service.add({ Source: 'txt2give', TransactionId: twice }, other).expect(200);
    for (const amount of [1, 2]) await service.reverse(`${reversed.id}/txt2give?amount=${amount}`).expect(200);
    await calls.gift({ TransactionId: euros });
    await service.database.query(`ALTER TABLE contribution DISABLE TRIGGER USER;
      UPDATE contribution SET currency = 'EUR' WHERE transaction_id = '${euros}';
      ALTER TABLE contribution ENABLE TRIGGER USER`);
    const TransactionId = unique('late');
    const last = await enter([{ TransactionId }]);
    await calls.gift({ TransactionId });
    await service.get('Deposits', calls.finance).expect(200);
    const [row] = await service.database.query('SELECT unknown_count FROM deposit WHERE id = $1', [last]);
    expect(row).toEqual({ unknown_count: 0 });
    // Such currencies come from another setting; the books of this test stay as they were.
    await service.database.query(`ALTER TABLE contribution DISABLE TRIGGER USER;
      UPDATE contribution SET currency = 'USD' WHERE transaction_id = '${euros}';
      ALTER TABLE contribution ENABLE TRIGGER USER`);
  });

  it('cannot name an unknown user, nor a user beside a ContributionId; a processor names no user', async () => {
    const { id } = await calls.sent(await calls.gifts('11'));
    const add = (item: object) => (): ReturnType<typeof calls.post> =>
      calls.post(`Deposits/${id}/items`, { Items: [item] });
    const unknown = await refusal(service, add({ TransactionId: 'x', User: 'nobody' }), 422, 'deposit_item_not_found');
    expect(unknown.detail).toContain('Item 1: there is no user nobody');
    const beside = await refusal(service, add({ ContributionId: 1, User: 'api' }), 400, 'invalid_request');
    expect(beside.errors?.[0]?.message).toContain('User belongs to TransactionId or ReversalOfTransaction');
    const send = (): ReturnType<typeof calls.send> => calls.send({ Items: [{ TransactionId: 'x', User: 'api' }] });
    await refusal(service, send, 400, 'invalid_request');
  });

  it('can be of another source than the deposit', async () => {
    const { transactionId: TransactionId } = await calls.gift({ Source: 'web' });
    expect(await calls.accepted({ Items: [{ TransactionId, Source: 'web' }] })).toMatchObject({ unknownCount: 0 });
    expect(await calls.accepted({ Items: [{ TransactionId }] })).toMatchObject({ unknownCount: 1 });
  });
});

describe('a reversal in a deposit', () => {
  it('is named by the gift, by the transaction, or by the reversing entry', async () => {
    for (const name of ['gift', 'transaction', 'entry'] as const) {
      const { id, transactionId } = await calls.gift({ Amount: '25' });
      const entry = await calls.reverse(id, '?amount=5.50');
      const item = {
        gift: { ReversalOf: id },
        transaction: { ReversalOfTransaction: transactionId },
        entry: { ReversalOf: entry },
      }[name];
      const deposit = await calls.accepted({ Items: [item], Amount: '-5.50' });
      expect(deposit).toMatchObject({ status: 'Matches', gross: '0.00', reversed: '5.50', expected: '-5.50' });
      expect((await calls.read(deposit.id)).items).toMatchObject([{ reversalId: entry, paymentId: id }]);
    }
  });

  it('is one entry for all parts of a split payment', async () => {
    const { id } = await calls.gift({
      Amount: '100',
      Splits: [
        { FundId: 1, Amount: '60' },
        { FundId: 1, Amount: '40' },
      ],
    });
    await calls.reverse(id, '?amount=10');
    const deposit = await calls.accepted({ Items: [{ ContributionId: id }, { ReversalOf: id }] });
    expect(deposit).toMatchObject({ itemCount: 2, gross: '100.00', reversed: '10.00', expected: '90.00' });
    expect((await calls.read(deposit.id)).items).toMatchObject([
      { kind: 'Payment', reversedAmount: '10.00' },
      { kind: 'Reversal', reversedAmount: '0.00' },
    ]);
  });

  it('is chosen by its refund id if there are several', async () => {
    const { id } = await calls.gift({ Amount: '50' });
    const [one, two] = [unique('re'), unique('re')];
    await service.reverse(`${id}/txt2give?amount=1&refundId=${one}`).expect(200);
    await service.reverse(`${id}/txt2give?amount=2&refundId=${two}`).expect(200);
    const { detail } = await refusal(
      service,
      () => calls.send({ Items: [{ ReversalOf: id }] }),
      422,
      'deposit_item_unclear',
    );
    expect(detail).toMatch(/several reversals\. Name one by its RefundId, or by ReversalOf: \d+, \d+\./);
    expect(await calls.accepted({ Items: [{ ReversalOf: id, RefundId: two }] })).toMatchObject({ reversed: '2.00' });
    // The other one is the only one left.
    expect(await calls.accepted({ Items: [{ ReversalOf: id }] })).toMatchObject({ reversed: '1.00' });
  });

  it('that is not in the books yet is found when it arrives', async () => {
    const { id } = await calls.gift({ Amount: '50' });
    const RefundId = unique('re');
    const fields = {
      DepositId: unique('po'),
      Items: [{ ContributionId: id }, { ReversalOf: id, RefundId }],
      Amount: '45',
    };
    const sent = await calls.accepted(fields);
    expect(sent).toMatchObject({ unknownCount: 1, expected: '50.00' });
    expect((await calls.read(sent.id)).likelyCauses).toMatchObject([
      { code: 'not_in_books', words: `1 item is not in the books: the reversal ${RefundId} of contribution ${id}.` },
      { code: 'fee_unknown' },
    ]);
    await service.reverse(`${id}/txt2give?amount=5&refundId=${RefundId}`).expect(200);
    expect(await calls.accepted(fields)).toMatchObject({ status: 'Matches', unknownCount: 0, reversed: '5.00' });
  });

  it('is not a payment', async () => {
    const { id } = await calls.gift();
    const entry = await calls.reverse(id);
    const items = { Items: [{ ContributionId: entry }] };
    const { detail } = await refusal(service, () => calls.send(items), 422, 'deposit_item_unclear');
    expect(detail).toContain(`contribution ${entry} is a reversal. Name it in ReversalOf`);
  });
});

describe('Finance', () => {
  it('adds items to the deposit of a processor, and removes some with a reason', async () => {
    const [one = 0, two = 0] = await calls.gifts('11', '12');
    const DepositId = unique('po');
    const { id } = await calls.sent([one], { DepositId });
    const added = await calls.post(`Deposits/${id}/items`, { Items: [{ ContributionId: two, Fee: '1' }] }).expect(200);
    expect(added.body).toMatchObject({ itemCount: 2, gross: '23.00', fees: '1.00' });
    const [first, second] = (await calls.read(id)).items;
    const remove = { ItemIds: [first?.itemId, second?.itemId], Reason: 'In the next payout' };
    const removed = await calls.post(`Deposits/${id}/items/remove`, remove).expect(200);
    expect(removed.body).toMatchObject({ itemCount: 0, gross: '0.00', fees: '0.00' });
    expect((await calls.read(id)).items).toMatchObject([
      { paymentId: one, removedBy: 'treasurer', removalReason: 'In the next payout' },
      { paymentId: two, removedBy: 'treasurer' },
    ]);
    // The processor repeats its call: what Finance has removed stays so.
    const again = await calls.send({ DepositId, Items: [{ ContributionId: one }] }).expect(200);
    expect([(again.body as DepositAnswer).itemCount, again.headers['idempotency-replayed']]).toEqual([0, 'true']);
    expect(await calls.sent([one])).toMatchObject({ itemCount: 1 });
    const back = await calls.post(`Deposits/${id}/items`, { Items: [{ ContributionId: two }] }).expect(200);
    expect(back.body).toMatchObject({ itemCount: 1, gross: '12.00', fees: '0.00' });
    await calls.post(`Deposits/${id}/items/remove`, remove).expect(200);
  });

  it.each<[string, string, object, number, string]>([
    [
      'adds to an unknown deposit',
      'Deposits/2000000001/items',
      { Items: [{ ContributionId: 1 }] },
      404,
      'deposit_not_found',
    ],
    [
      'removes from an unknown deposit',
      'Deposits/2000000001/items/remove',
      { ItemIds: [1], Reason: 'x' },
      404,
      'deposit_not_found',
    ],
    [
      'enters the bank of an unknown deposit',
      'Deposits/2000000001/bank',
      { Date: '2026-11-20', Amount: '1' },
      404,
      'deposit_not_found',
    ],
    [
      'adjusts an unknown deposit',
      'Deposits/2000000001/adjust',
      { Amount: '1', Reason: 'x' },
      404,
      'deposit_not_found',
    ],
    ['reconciles an unknown deposit', 'Deposits/2000000001/reconcile', {}, 404, 'deposit_not_found'],
    ['removes without a reason', 'Deposits/1/items/remove', { ItemIds: [1] }, 400, 'invalid_request'],
    ['removes nothing', 'Deposits/1/items/remove', { ItemIds: [], Reason: 'x' }, 400, 'invalid_request'],
    ['removes by text', 'Deposits/1/items/remove', { ItemIds: ['1'], Reason: 'x' }, 400, 'invalid_request'],
    ['removes by a list', 'Deposits/1/items/remove', { ItemIds: [[1]], Reason: 'x' }, 400, 'invalid_request'],
    [
      'removes an unknown item',
      'Deposits/1/items/remove',
      { ItemIds: [2000000001], Reason: 'x' },
      422,
      'deposit_item_not_found',
    ],
    ['adjusts without a reason', 'Deposits/1/adjust', { Amount: '1' }, 400, 'invalid_request'],
    ['adjusts by zero', 'Deposits/1/adjust', { Amount: '-0.00', Reason: 'x' }, 400, 'invalid_request'],
    [
      'enters a bank’s amount that is none',
      'Deposits/1/bank',
      { Date: '2026-11-20', Amount: '1,0' },
      400,
      'invalid_request',
    ],
    ['reconciles with an amount that is none', 'Deposits/1/reconcile', { Expected: 1 }, 400, 'invalid_request'],
    ['reconciles with a count that is none', 'Deposits/1/reconcile', { ItemCount: '1' }, 400, 'invalid_request'],
  ])('%s: refused', async (_what, path, body, status, code) => {
    await refusal(service, () => calls.post(path, body), status, code);
  });

  it('adjusts once with a key, and twice without one', async () => {
    const { id } = await calls.sent([], { Items: undefined, Amount: '5' });
    const body = { Amount: '2', Reason: 'A gift of cash' };
    const key = unique('key');
    const first = await calls.post(`Deposits/${id}/adjust`, body).set('Idempotency-Key', key).expect(200);
    const again = await calls.post(`Deposits/${id}/adjust`, body).set('Idempotency-Key', key).expect(200);
    expect([again.body, again.headers['idempotency-replayed']]).toEqual([first.body, 'true']);
    const other = { ...body, Amount: '3' };
    await calls.post(`Deposits/${id}/adjust`, other).set('Idempotency-Key', key).expect(422);
    expect((await calls.post(`Deposits/${id}/adjust`, body).expect(200)).body).toMatchObject({ adjusted: '4.00' });
  });

  it('does not reconcile what has changed since', async () => {
    const [one = 0] = await calls.gifts('11');
    const { id } = await calls.sent([one], { Amount: '11' });
    for (const seen of [{ ItemCount: 2 }, { Expected: '11.01' }, { ItemCount: 1, Expected: '10' }]) {
      const { current } = await refusal(
        service,
        () => calls.post(`Deposits/${id}/reconcile`, seen),
        409,
        'deposit_changed',
      );
      expect(current).toMatchObject({ id, itemCount: 1, expected: '11.00' });
    }
    await calls.post(`Deposits/${id}/reconcile`, { ItemCount: 1, Expected: '11.00' }).expect(200);
  });

  it('withdraws what was entered for the bank of an open deposit, if it is as seen', async () => {
    const { id } = await calls.sent(await calls.gifts('11'), { Amount: '11' });
    const bank = { Date: '2026-11-23', Amount: '99', Reference: 'Line 4' };
    await calls.post(`Deposits/${id}/bank`, bank).expect(200);
    const other = (): ReturnType<typeof calls.post> => calls.post(`Deposits/${id}/bank/withdraw`, { Was: '98' });
    const { current } = await refusal(service, other, 409, 'bank_changed');
    expect(current).toMatchObject({ bankAmount: '99.00' });
    const changes = await changesRecordedBy(service, async () => {
      const withdrawn = await calls.post(`Deposits/${id}/bank/withdraw`, { Was: '99.00' }).expect(200);
      expect(withdrawn.body).toMatchObject({
        ...{ status: 'Matches', bankAmount: null, bankDate: null, bankReference: null, difference: '0.00' },
      });
      await calls.post(`Deposits/${id}/bank/withdraw`, { Was: '99.00' }).expect(200);
    });
    expect(changes).toEqual([
      [...['treasurer', 'deposit.withdraw-bank', `deposit ${id}`], { bankDate: '2026-11-23', bankAmount: 'USD 99.00' }],
    ]);
    await calls.post(`Deposits/${id}/reconcile`).expect(200);
    await refusal(service, () => calls.post(`Deposits/${id}/bank/withdraw`), 409, 'deposit_reconciled');
    await refusal(service, () => calls.post('Deposits/2000000001/bank/withdraw'), 404, 'deposit_not_found');
  });

  it('compares with the bank once it has its amount', async () => {
    const [one = 0] = await calls.gifts('11');
    const { id } = await calls.sent([one]);
    const open = await refusal(service, () => calls.post(`Deposits/${id}/reconcile`), 409, 'deposit_differs');
    expect(open.detail).toContain('has no amount to compare with');
    const bank = { Date: '2026-11-23', Amount: '11', Reference: 'Line 4' };
    expect((await calls.post(`Deposits/${id}/bank`, bank).expect(200)).body).toMatchObject({
      status: 'Matches',
      bankDate: '2026-11-23',
      bankAmount: '11.00',
      bankReference: 'Line 4',
    });
    const other = await calls.post(`Deposits/${id}/bank`, { Date: '2026-11-24', Amount: '-3' }).expect(200);
    expect(other.body).toMatchObject({
      status: 'Differs',
      bankReference: null,
      bankAmount: '-3.00',
      difference: '-14.00',
    });
  });
});
