import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { refusal } from '../contract/gift-requests.js';
import { assertLedgerInvariants } from '../support/ledger-invariants.js';
import { type Login, ROLES, startTestApp, type TestApp } from '../support/test-app.js';
import { type DepositAnswer, DepositCalls, unique } from './deposit-calls.js';

let service: TestApp;
let calls: DepositCalls;
let other: Login;

beforeAll(async () => {
  service = await startTestApp();
  calls = new DepositCalls(service, await service.createUser('treasurer', 'some long password', ['Finance']));
  other = await service.createUser('other processor', 'some long password', ROLES);
});
afterAll(async () => {
  await assertLedgerInvariants(service.database);
  await service.stop();
});

/** A gift of a processor. @returns its ContributionId. */
async function giftOf(login: Login, fields: object): Promise<number> {
  const sent = await service.add({ Amount: '10', TransactionId: unique('T'), ...fields }, login).expect(200);
  return (sent.body as { ContributionId: number }).ContributionId;
}

async function makeOf(Source: string, PayoutId: string): Promise<DepositAnswer & { user: string | null }> {
  const answer = await calls.post('Payouts/deposit', { Source, PayoutId }).expect(200);
  return answer.body as DepositAnswer & { user: string | null };
}

const paymentsOf = async (id: number): Promise<(number | null)[]> =>
  (await calls.read(id)).items.filter(({ kind }) => kind === 'Payment').map(({ paymentId }) => paymentId);

describe('a processor', () => {
  it('sees its own gifts in its deposit and its own amount, and nothing of the bank or of others', async () => {
    const [own = 0] = await calls.gifts('30');
    const theirs = await giftOf(other, { Amount: '12', Source: 'txt2give' });
    const fields = { DepositId: unique('po'), Amount: '28', Items: [{ ContributionId: own, Fee: '1' }] };
    const sent = await calls.accepted(fields);
    const { id } = sent;
    const names = ['id', 'source', 'depositId', 'user', 'date', 'status', 'currency', 'itemCount', 'unknownCount'];
    const sums = ['gross', 'fees', 'reversed', 'expected', 'amount', 'difference', 'createdAt', 'reconciledAt'];
    expect(Object.keys(sent)).toEqual([...names, ...sums]);
    expect(sent).toMatchObject({ status: 'Differs', expected: '29.00', difference: '-1.00' });
    await calls
      .post(`Deposits/${id}/items`, { Items: [{ ContributionId: theirs }, { TransactionId: 'late' }] })
      .expect(200);
    const added = await calls.post(`Deposits/${id}/bank`, { Date: '2026-11-23', Amount: '41', Reference: 'Line 4' });
    expect(added.body).toMatchObject({ itemCount: 3, unknownCount: 1, expected: '41.00' });
    await calls.post(`Deposits/${id}/adjust`, { Amount: '5', Reason: 'A gift of cash' }).expect(200);
    expect(await calls.accepted(fields)).toEqual(sent);
  });

  it('sees which of its gifts a deposit holds only if it has sent the deposit', async () => {
    const [own = 0, financed = 0] = await calls.gifts('30', '31');
    const { id } = await calls.sent([own]);
    const entered = { DepositId: unique('f'), Source: 'txt2give', Date: '2026-11-20' };
    const finances = await calls.post('Deposits/enter', { ...entered, Items: [{ ContributionId: financed }] });
    const ofFinance = (finances.body as DepositAnswer).id;
    const depositIn = (body: unknown): unknown => (body as { payment: { deposit: unknown } }).payment.deposit;
    expect(depositIn((await service.read(own).expect(200)).body)).toEqual({
      ...{ id, date: '2026-11-20', reconciledAt: null },
      depositId: expect.stringMatching(/^po-/) as unknown,
    });
    expect(depositIn((await service.read(financed).expect(200)).body)).toBeNull();
    expect(depositIn((await service.read(financed, calls.finance).expect(200)).body)).toMatchObject({ id: ofFinance });
    const list = await service.get(`Contributions?limit=500`).expect(200);
    const { contributions } = list.body as { contributions: { contributionId: number }[] };
    const listed = (of: number): unknown =>
      depositIn(contributions.find(({ contributionId }) => contributionId === of));
    expect([listed(own), listed(financed)]).toMatchObject([{ id }, null]);
  });

  it('is not told which deposit of others holds a gift', async () => {
    const [own = 0, financed = 0] = await calls.gifts('30', '31');
    const { id } = await calls.sent([own]);
    const entered = { DepositId: unique('f'), Source: 'txt2give', Date: '2026-11-20' };
    await calls.post('Deposits/enter', { ...entered, Items: [{ ContributionId: financed }] }).expect(200);
    const Items = [{ ContributionId: own }, { ContributionId: financed }];
    const { detail } = await refusal(service, () => calls.send({ Items }), 409, 'in_other_deposit');
    expect(detail).toBe(
      `Contribution ${own} is in deposit ${id} already. Contribution ${financed} is in another deposit already. Nothing was stored.`,
    );
  });
});

describe('the deposit of a payout', () => {
  it('is that of the processor that has sent all of its gifts', async () => {
    const [source, payout] = [unique('s'), unique('po')];
    const one = await giftOf(service.login, { Source: source, PayoutId: payout });
    const sent = await calls.sent([one], { Source: source, DepositId: payout });
    const late = await giftOf(service.login, { Source: source, PayoutId: payout });
    expect(await makeOf(source, payout)).toMatchObject({ id: sent.id, user: 'api', itemCount: 2 });
    expect(await paymentsOf(sent.id)).toEqual([one, late]);
  });

  it('is not that of a processor if another one has sent gifts of it', async () => {
    const [source, payout] = [unique('s'), unique('po')];
    const one = await giftOf(service.login, { Source: source, PayoutId: payout });
    const sent = await calls.sent([one], { Source: source, DepositId: payout });
    const theirs = await giftOf(other, { Source: source, PayoutId: payout, Amount: '12' });
    const list = await service.get(`Payouts?source=${source}`, calls.finance).expect(200);
    expect((list.body as { payouts: unknown[] }).payouts).toMatchObject([{ count: 1, gross: '12.00', deposit: null }]);
    const made = await makeOf(source, payout);
    expect(made).toMatchObject({ user: null, itemCount: 1, gross: '12.00' });
    expect(made.id).not.toBe(sent.id);
    expect(await paymentsOf(made.id)).toEqual([theirs]);
    expect(await paymentsOf(sent.id)).toEqual([one]);
  });

  it('is never that of a processor that has sent none of its gifts', async () => {
    const [source, payout] = [unique('s'), unique('po')];
    const theirs = await giftOf(other, { Source: source, PayoutId: payout });
    const foreign = await calls.accepted({ Source: source, DepositId: payout, Items: undefined });
    const made = await makeOf(source, payout);
    expect(made).toMatchObject({ user: null, itemCount: 1 });
    expect(await paymentsOf(made.id)).toEqual([theirs]);
    expect(await calls.read(foreign.id)).toMatchObject({ itemCount: 0 });
  });

  it('of a processor gets only reversals of its own gifts', async () => {
    const [source, payout] = [unique('s'), unique('po')];
    const theirs = await giftOf(other, { Source: source, PayoutId: unique('po') });
    await service.reverse(`${theirs}/${source}`, other).expect(200);
    const own = await giftOf(service.login, { Source: source, PayoutId: payout });
    await service.reverse(`${own}/${source}?amount=4`).expect(200);
    const [today] = await service.database.query<{ day: string }>(
      `SELECT (now() AT TIME ZONE 'UTC')::date::text AS day`,
    );
    const sent = await calls.accepted({ Source: source, DepositId: payout, Date: today?.day, Items: undefined });
    expect(await makeOf(source, payout)).toMatchObject({ id: sent.id, gross: '10.00', reversed: '4.00' });
  });
});
