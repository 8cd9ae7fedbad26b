import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Login, ROLES, startTestApp, type TestApp } from '../support/test-app.js';
import { type Added, type Problem, readBack, type View } from './gift-requests.js';
import { addPart, moveToFund, reinstate, reversePart, setPayment } from './payment-rows.js';

let service: TestApp;
let processors = 0;
/** Each test has its own, and so its own list. */
let processor: Login;
let building: number;

beforeAll(async () => {
  service = await startTestApp({ CHURCH_TIME_ZONE: 'America/Chicago' });
  const [fund] = await service.database.query<{ id: number }>(
    "INSERT INTO fund (name) VALUES ('Building') RETURNING id",
  );
  building = fund?.id ?? 0;
});
beforeEach(async () => {
  processor = await service.createUser(`processor ${++processors}`, 'correct horse battery', ROLES);
});
afterAll(() => service.stop());

const add = async (fields: object = {}): Promise<number> =>
  ((await service.add(fields, processor).expect(200)).body as Added).ContributionId;
const read = (id: number): Promise<View> => readBack(service, id, processor);

interface Page {
  readonly contributions: readonly View[];
  readonly next: string;
}

const list = async (query: object): Promise<Page> =>
  (await service.get('Contributions', processor).query(query).expect(200)).body as Page;
const listed = async (query: object): Promise<number[]> =>
  (await list(query)).contributions.map(({ contributionId }) => contributionId);

describe('a read-back shows', () => {
  it('the payment on each of its entries, with fee and net', async () => {
    const first = await add({ Amount: '300' });
    const second = await addPart(service, first, '200', building);
    await setPayment(service, first, { fee: '12.5', method: 'card', checkNumber: '0017', payoutId: 'po_1' });
    const reversing = await reversePart(service, second, '50');
    const moves = await moveToFund(service, first, building);
    const reinstated = await reinstate(service, reversing);
    const payment = {
      ...{ paymentId: first, amount: '500.00', fee: '12.50', net: '487.50', method: 'card', checkNumber: '0017' },
      ...{ payoutId: 'po_1', parts: [first, second], deposit: null },
    };
    for (const id of [first, second, reversing, ...moves, reinstated])
      expect((await read(id))['payment']).toEqual(payment);
    expect([(await read(first))['amount'], (await read(second))['amount']]).toEqual(['300.00', '200.00']);
  });

  it('the payment as it was sent, whose parts are found by its ids', async () => {
    const sent = {
      Fee: '2.5',
      Method: 'Card',
      CheckNumber: '0017',
      PayoutId: 'po_9',
      Source: 's',
      TransactionId: 'split',
    };
    const Splits = [
      { FundId: 1, Amount: '300' },
      { FundId: building, Amount: '200.00', Notes: 'second' },
    ];
    const first = await add({ ...sent, Amount: '500', Splits });
    const { payment } = (await read(first)) as unknown as { payment: { parts: number[] } };
    expect(payment).toMatchObject({
      ...{ paymentId: first, amount: '500.00', fee: '2.50', net: '497.50', method: 'card', checkNumber: '0017' },
      ...{ payoutId: 'po_9' },
    });
    expect(payment.parts).toEqual([first, payment.parts[1]]);
    expect(await read(payment.parts[1] ?? 0)).toMatchObject({
      amount: '200.00',
      fundId: building,
      notes: 'second',
      payment,
    });
    for (const query of [{ payoutId: 'po_9' }, { checkNumber: '0017' }, { transactionId: 'split' }, { method: 'card' }])
      expect(await listed(query)).toEqual(payment.parts);
  });

  it('each partial reversal, the last one also alone, and the status Reversed only when nothing is left', async () => {
    const gift = await add({ Amount: '100' });
    const first = await reversePart(service, gift, '40', { reason: 'refund', refundId: 're_1' });
    const one = { source: 'refunder', by: processor[0], at: expect.any(String), reinstatedBy: null };
    const reversals: object[] = [
      { contributionId: first, ...one, amount: '40.00', reason: 'refund', refundId: 're_1' },
    ];
    expect(await read(gift)).toMatchObject({
      ...{ amount: '100.00', status: 'Recorded', reversedAmount: '40.00', reversal: reversals[0], reversals },
    });
    const second = await reversePart(service, gift, '60');
    reversals.push({ contributionId: second, ...one, amount: '60.00', reason: null, refundId: null });
    expect(await read(gift)).toMatchObject({
      ...{ status: 'Reversed', reversedAmount: '100.00', reversal: reversals[1], reversals },
    });
    expect(await read(first)).toMatchObject({
      ...{ amount: '-40.00', status: 'Recorded', reversedAmount: '0.00', reversal: null, reversals: [], giver: null },
      ...{ reverses: gift, reason: 'refund', refundId: 're_1', reinstatedBy: null, reinstates: null, moves: null },
    });
  });

  it('a reinstatement on the gift, on the reversing entry and on the gift that gives it back', async () => {
    const gift = await add({ Amount: '100' });
    const entry = await reversePart(service, gift, '100', { reason: 'chargeback' });
    const before = await list({ updatedSince: '1900-01-01' });
    const again = await reinstate(service, entry);
    expect(await read(gift)).toMatchObject({
      status: 'Reversed',
      reversal: { contributionId: entry, reinstatedBy: again },
    });
    expect(await read(entry)).toMatchObject({ reinstatedBy: again, reinstates: null });
    const { giver } = await read(gift);
    expect(await read(again)).toMatchObject({
      ...{ amount: '100.00', status: 'Recorded', reinstates: entry, reversal: null, reversedAmount: '0.00', giver },
    });
    // A reader of changes learns of it.
    expect((await listed({ after: before.next })).sort((a, b) => a - b)).toEqual([gift, entry, again]);
    await reversePart(service, again, '100');
    expect(await read(again)).toMatchObject({ status: 'Reversed', reversedAmount: '100.00', reinstates: entry });
  });

  it('which gift an entry moved to another fund', async () => {
    const gift = await add({ Amount: '100' });
    const [out, into] = await moveToFund(service, gift, building);
    const move = { moves: gift, giver: null, reverses: null, reversedAmount: '0.00', status: 'Recorded', match: null };
    expect(await read(out)).toMatchObject({ ...move, amount: '-100.00', fundId: 1, contributionTypeId: 1 });
    expect(await read(into)).toMatchObject({ ...move, amount: '100.00', fundId: building, contributionTypeId: 1 });
    expect(await read(gift)).toMatchObject({ moves: null, fundId: 1, status: 'Recorded' });
  });

  it('the same in the list, and to the user who added the gift only', async () => {
    const gift = await add({ Amount: '100' });
    const part = await addPart(service, gift, '11');
    const entry = await reversePart(service, part, '1');
    const moves = await moveToFund(service, part, building);
    const all = [gift, part, entry, ...moves, await reinstate(service, entry)];
    const { contributions } = await list({});
    expect(contributions.map(({ contributionId }) => contributionId)).toEqual(all);
    for (const shown of contributions) expect(shown).toEqual(await read(shown.contributionId));
    for (const id of all) await service.read(id).expect(404);
  });
});

describe('the list filters by', () => {
  it('payout, check number and method, with all entries of the payments', async () => {
    const [first, other, none] = [await add({ Amount: '300' }), await add(), await add()];
    const second = await addPart(service, first, '200');
    await setPayment(service, first, { method: 'check', checkNumber: '0017', payoutId: 'po_1' });
    await setPayment(service, other, { method: 'card', payoutId: 'po_2' });
    const entry = await reversePart(service, second, '50');
    const whole = [first, second, entry];
    expect(await listed({ payoutId: 'po_1' })).toEqual(whole);
    expect(await listed({ checkNumber: '0017' })).toEqual(whole);
    expect(await listed({ method: 'CHECK' })).toEqual(whole);
    expect(await listed({ payoutId: 'po_2', method: 'card' })).toEqual([other]);
    expect(await listed({ payoutId: 'po_2', method: 'check' })).toEqual([]);
    for (const query of [{ payoutId: 'PO_1' }, { checkNumber: '17' }, { method: 'cash' }])
      expect(await listed(query)).toEqual([]);
    expect(await listed({})).toEqual([first, other, none, second, entry]);
    const position = await list({ payoutId: 'po_1', limit: 2 });
    expect(await listed({ payoutId: 'po_1', after: position.next })).toEqual([entry]);
    expect((await listed({ payoutId: 'po_1', updatedSince: '1900-01-01' })).sort((a, b) => a - b)).toEqual(whole);
  });

  it('transaction id, with all parts of the payment', async () => {
    const first = await add({ Amount: '3', Source: 'web', TransactionId: 't split' });
    const second = await addPart(service, first, '2');
    await reversePart(service, second, '1');
    expect(await listed({ transactionId: 't split' })).toEqual([first, second]);
    expect(await listed({ transactionId: 't split', source: 'other' })).toEqual([]);
  });

  it('amount, without its sign, and by the least and the most', async () => {
    const gifts = [await add({ Amount: '9.99' }), await add({ Amount: '10' }), await add({ Amount: '10.01' })] as const;
    const entry = await reversePart(service, gifts[1], '10');
    expect(await listed({ amount: '10' })).toEqual([gifts[1], entry]);
    expect(await listed({ amount: '10.00' })).toEqual([gifts[1], entry]);
    expect(await listed({ minAmount: '10' })).toEqual([gifts[1], gifts[2], entry]);
    expect(await listed({ maxAmount: '9.99' })).toEqual([gifts[0]]);
    expect(await listed({ minAmount: '9.995'.slice(0, 4), maxAmount: '10.00', status: 'Recorded' })).toEqual([
      gifts[0],
      entry,
    ]);
  });

  it('reason, with the reversing entries and their gifts', async () => {
    const [one, two] = [await add({ Amount: '10' }), await add({ Amount: '10' })];
    await add();
    const refund = await reversePart(service, one, '3', { reason: 'refund' });
    const chargeback = await reversePart(service, one, '7', { reason: 'chargeback' });
    const whole = await reversePart(service, two, '10', { reason: 'refund' });
    expect(await listed({ reason: 'refund' })).toEqual([one, two, refund, whole]);
    expect(await listed({ reason: 'Chargeback' })).toEqual([one, chargeback]);
    expect(await listed({ reason: 'refund', status: 'reversed' })).toEqual([one, two]);
    expect(await listed({ reason: 'error' })).toEqual([]);
  });

  it.each([
    ['method', { method: 'cheque' }],
    ['payoutId', { payoutId: '' }],
    ['payoutId', { payoutId: 'x'.repeat(101) }],
    ['checkNumber', { checkNumber: 'x'.repeat(21) }],
    ['amount', { amount: '0' }],
    ['amount', { amount: '-10' }],
    ['minAmount', { minAmount: '1,000' }],
    ['maxAmount', { maxAmount: '1.001' }],
    ['reason', { reason: 'because' }],
    ['reason', { reason: ['refund', 'error'] }],
  ])('no malformed %s: %j', async (field, query) => {
    const problem = (await service.get('Contributions', processor).query(query).expect(400)).body as Problem;
    expect(problem.errors?.map((error) => error.field)).toEqual([field]);
  });
});
