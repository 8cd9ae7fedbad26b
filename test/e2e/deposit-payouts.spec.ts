import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { refusal } from '../contract/gift-requests.js';
import { assertLedgerInvariants } from '../support/ledger-invariants.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
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

/** A gift of a payout. @returns its id. */
async function paidOut(Source: string, PayoutId: string, fields: object = {}): Promise<number> {
  return (await calls.gift({ Source, PayoutId, Fee: '0.50', ...fields })).id;
}

/** The day so many days ago in church time, which is UTC here. */
async function daysAgo(days: number): Promise<string> {
  const [row] = await service.database.query<{ day: string }>(
    `SELECT ((now() AT TIME ZONE 'UTC')::date - ${days})::text AS day`,
  );
  return row?.day ?? '';
}

async function make(Source: string, PayoutId: string, fields: object = {}): Promise<DepositAnswer> {
  return (await calls.post('Payouts/deposit', { Source, PayoutId, ...fields }).expect(200)).body as DepositAnswer;
}

async function payouts(source: string): Promise<object[]> {
  const answer = await service.get(`Payouts?source=${source}`, calls.finance).expect(200);
  return (answer.body as { payouts: object[] }).payouts;
}

describe('the deposit of a payout', () => {
  it('has its payments, and is made of those that no deposit has', async () => {
    const [source, payout] = [unique('s'), unique('po')];
    const [one, two] = [await paidOut(source, payout), await paidOut(source, payout, { Amount: '20', Fee: undefined })];
    await paidOut(source, 'another payout');
    await paidOut(unique('s'), payout);
    const [today] = [await daysAgo(0)];
    expect(await payouts(source)).toMatchObject([
      { payoutId: 'another payout' },
      {
        ...{ source, payoutId: payout, count: 2, gross: '30.00', fees: '0.50', unknownFees: 1, currency: 'USD' },
        ...{ from: today, to: today, deposit: null },
      },
    ]);
    const deposit = await make(source, payout);
    expect(deposit).toMatchObject({
      ...{ source, depositId: payout, user: null, date: today, createdBy: 'treasurer' },
      ...{ status: 'Open', itemCount: 2, gross: '30.00', fees: '0.50', expected: '29.50', difference: null },
    });
    expect((await calls.read(deposit.id)).items.map(({ paymentId }) => paymentId)).toEqual([one, two]);
    expect(await payouts(source)).toMatchObject([{ payoutId: 'another payout' }]);
  });

  it('gets the gifts that come later, by the same call', async () => {
    const [source, payout] = [unique('s'), unique('po')];
    await paidOut(source, payout);
    const { id } = await make(source, payout);
    const again = await calls.post('Payouts/deposit', { Source: source, PayoutId: payout }).expect(200);
    expect(again.headers['idempotency-replayed']).toBe('true');
    const late = await paidOut(source, payout, { Amount: '7' });
    expect(await payouts(source)).toMatchObject([{ count: 1, gross: '7.00', deposit: id }]);
    await calls.post(`Deposits/${id}/bank`, { Date: await daysAgo(0), Amount: '16' }).expect(200);
    expect((await calls.read(id)).likelyCauses).toMatchObject([
      { code: 'payout_incomplete', amount: '6.50', explains: true, contributionIds: [late] },
    ]);
    expect(await make(source, payout)).toMatchObject({ id, itemCount: 2, status: 'Matches' });
    await calls.post(`Deposits/${id}/reconcile`).expect(200);
    expect(await make(source, payout)).toMatchObject({ id, status: 'Reconciled' });
    await paidOut(source, payout);
    const call = (): ReturnType<typeof calls.post> =>
      calls.post('Payouts/deposit', { Source: source, PayoutId: payout });
    await refusal(service, call, 409, 'deposit_reconciled');
  });

  it('leaves out what Finance has removed, and what another deposit has', async () => {
    const [source, payout] = [unique('s'), unique('po')];
    const [one, two, three] = [
      await paidOut(source, payout),
      await paidOut(source, payout),
      await paidOut(source, payout, { Amount: '30' }),
    ];
    const other = await calls.sent([three]);
    const { id } = await make(source, payout);
    const { items } = await calls.read(id);
    expect(items.map(({ paymentId }) => paymentId)).toEqual([one, two]);
    await calls.post(`Deposits/${id}/items/remove`, { ItemIds: [items[0]?.itemId], Reason: 'Later' }).expect(200);
    expect(await make(source, payout)).toMatchObject({ id, itemCount: 1 });
    await calls.post(`Deposits/${id}/bank`, { Date: await daysAgo(0), Amount: '39' }).expect(200);
    expect((await calls.read(id)).likelyCauses).toMatchObject([
      {
        code: 'in_other_deposit',
        amount: '29.50',
        explains: true,
        words: expect.stringContaining(`deposit ${other.id}`) as unknown,
      },
      { code: 'payout_incomplete', amount: '9.50', contributionIds: [one] },
    ]);
  });

  it('is that of the processor if it has sent one', async () => {
    const [source, payout] = [unique('s'), unique('po')];
    const one = await paidOut(source, payout);
    await paidOut(source, payout);
    const sent = await calls.sent([one], { Source: source, DepositId: payout, Amount: '19' });
    expect(await make(source, payout)).toMatchObject({ id: sent.id, user: 'api', itemCount: 2, status: 'Matches' });
  });

  it('is made once, however many try at once', async () => {
    const [source, payout] = [unique('s'), unique('po')];
    for (let i = 0; i < 3; i++) await paidOut(source, payout);
    const made = await Promise.all([1, 2, 3].map(() => make(source, payout)));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(made.every(({ itemCount }) => itemCount === 3)).toBe(true);
  });

  it('is not made of an unknown payout, nor of one that others have', async () => {
    const [source, payout] = [unique('s'), unique('po')];
    const call = (): ReturnType<typeof calls.post> =>
      calls.post('Payouts/deposit', { Source: source, PayoutId: payout });
    await refusal(service, call, 404, 'payout_not_found');
    await calls.sent([await paidOut(source, payout)]);
    await refusal(service, call, 409, 'in_other_deposit');
  });
});

describe('the reversals of a payout', () => {
  it('are those after the payout before, up to its day, of payments that are paid out', async () => {
    const source = unique('s');
    const [first, second, third] = [unique('po'), unique('po'), unique('po')];
    const [monthAgo, weekAgo, yesterday, today] = [
      await daysAgo(30),
      await daysAgo(7),
      await daysAgo(1),
      await daysAgo(0),
    ];
    const old = await paidOut(source, first, { Date: monthAgo, Amount: '50' });
    const other = await paidOut(source, second, { Date: weekAgo, Amount: '60' });
    const cash = (await calls.gift({ Source: source, Date: weekAgo })).id;
    const elsewhere = await paidOut(unique('s'), first, { Date: monthAgo });
    const won = await paidOut(source, first, { Date: monthAgo });
    const inFirst = await paidOut(source, first, { Date: monthAgo, Amount: '70' });
    // A reversal has the day on which it is recorded, so its day is set here.
    const reversed = async (id: number, day: string, query = ''): Promise<number> => {
      const entry = await calls.reverse(id, query);
      await service.database.query(`ALTER TABLE contribution DISABLE TRIGGER USER;
        UPDATE contribution SET day = '${day}' WHERE id = ${entry}; ALTER TABLE contribution ENABLE TRIGGER USER`);
      return entry;
    };
    const early = await reversed(inFirst, monthAgo);
    const between = await reversed(old, yesterday, '?amount=5');
    const onTheDay = await reversed(other, weekAgo, '?amount=6');
    await reversed(cash, yesterday);
    await reversed(elsewhere, yesterday);
    await calls.post(`Contributions/${await reversed(won, yesterday)}/reinstate`, {}).expect(200);
    await paidOut(source, third, { Date: yesterday });
    const idsOf = async (deposit: DepositAnswer): Promise<(number | null)[]> =>
      (await calls.read(deposit.id)).items.flatMap(({ reversalId }) => reversalId ?? []);
    const payouts = [await make(source, second), await make(source, third), await make(source, first)];
    expect(await Promise.all(payouts.map(idsOf))).toEqual([[onTheDay], [between], [early]]);
    expect(payouts[1]).toMatchObject({
      gross: '10.00',
      fees: '0.50',
      reversed: '5.00',
      expected: '4.50',
      date: yesterday,
    });
    // What was taken back since belongs to the next payout, and today is after the day of this one.
    const late = await paidOut(source, third, { Date: yesterday });
    await reversed(late, today);
    expect(await make(source, third)).toMatchObject({ itemCount: 3, reversed: '5.00' });
    expect((await calls.read(payouts[1]?.id ?? 0)).reversedSince).toMatchObject([
      { paymentId: late, amount: '10.00', day: today, inDeposit: null },
    ]);
    const answer = await service.get(`Undeposited?source=${source}`, calls.finance).expect(200);
    expect((answer.body as { undeposited: object[] }).undeposited).toMatchObject([
      { contributionId: cash, kind: 'Payment', amount: '10.00', fee: null, payoutId: null },
      { kind: 'Reversal', amount: '10.00' },
      { kind: 'Reversal', amount: '10.00', day: today },
    ]);
  });

  it('can be those up to a given day', async () => {
    const [source, payout] = [unique('s'), unique('po')];
    const id = await paidOut(source, payout, { Date: await daysAgo(3) });
    await calls.reverse(id, '?amount=4');
    expect(await make(source, payout, { Date: await daysAgo(0) })).toMatchObject({ itemCount: 2, expected: '5.50' });
  });
});

describe('what no deposit has', () => {
  it('is listed by page, for the source and the days', async () => {
    const source = unique('s');
    const ids: number[] = [];
    for (let i = 0; i < 3; i++) ids.push((await calls.gift({ Source: source })).id);
    await calls.gift({ Source: source, ContributionTypeId: 8 });
    await calls.gift({ Source: source, Date: '2026-01-05' });
    await calls.sent([ids[0] ?? 0]);
    const list = async (query: string): Promise<{ undeposited: { contributionId: number }[]; next: number | null }> =>
      (await service.get(`Undeposited?source=${source}${query}`, calls.finance).expect(200)).body as never;
    expect((await list('')).undeposited.map(({ contributionId }) => contributionId)).toEqual(ids.slice(1));
    expect((await list(`&after=${ids[1]}`)).undeposited).toMatchObject([{ contributionId: ids[2] }]);
    expect((await list('&from=2026-01-01&to=2026-01-31')).undeposited).toHaveLength(1);
    expect(await list('&to=2026-01-04')).toEqual({ undeposited: [], next: null });
    await service.get('Undeposited', calls.finance).expect(400);
  });
});
