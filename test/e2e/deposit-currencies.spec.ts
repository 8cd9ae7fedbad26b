import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { SumTotals } from '../../src/contributions/reading/totals/sum-totals.service.js';
import { addedGift, refusal } from '../contract/gift-requests.js';
import { type ConsoleVisitor, flashOf, newVisitor } from '../support/console.js';
import { assertLedgerInvariants } from '../support/ledger-invariants.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { type DepositAnswer, DepositCalls, unique } from './deposit-calls.js';
import { DEPOSITS, textOf } from './deposit-forms.js';

/** The church as long as its currency was USD, and with its present one, which has no decimals. */
let before: TestApp;
let service: TestApp;
let calls: DepositCalls;
let visitor: ConsoleVisitor;

beforeAll(async () => {
  before = await startTestApp();
  service = await startTestApp({ CHURCH_CURRENCY: 'UGX' }, { database: before.database });
  const finance = await newVisitor(service);
  visitor = finance.visitor;
  calls = new DepositCalls(service, finance.login);
});
afterAll(async () => {
  await assertLedgerInvariants(before.database);
  await service.stop();
  await before.stop();
});

/** A gift of a payout in USD. @returns its id. */
async function formerGift(Source: string, PayoutId: string, fields: object = {}): Promise<number> {
  const sent = { Source, PayoutId, Amount: '10.50', Fee: '0.25', TransactionId: unique('T'), ...fields };
  return (await addedGift(before, sent)).ContributionId;
}

const sumUp = async (): Promise<void> => {
  while (await service.app.get(SumTotals, { strict: false }).sumNew());
};

async function make(fields: object): Promise<DepositAnswer & { currency: string }> {
  const answer = await calls.post('Payouts/deposit', fields).expect(200);
  return answer.body as DepositAnswer & { currency: string };
}

describe('a payout in a former currency of the church', () => {
  it('gets a deposit in this currency, which is adjusted, compared with the bank and reconciled', async () => {
    const [Source, PayoutId] = [unique('s'), unique('po')];
    await formerGift(Source, PayoutId);
    const { id, ...made } = await make({ Source, PayoutId });
    expect(made).toMatchObject({ currency: 'USD', gross: '10.50', fees: '0.25', expected: '10.25', status: 'Open' });
    const later = await formerGift(Source, PayoutId, { Amount: '1', Fee: undefined });
    expect(await make({ Source, PayoutId })).toMatchObject({ id, itemCount: 2, expected: '11.25' });
    expect((await calls.read(id)).items.at(-1)).toMatchObject({ paymentId: later });
    await calls.post(`Deposits/${id}/adjust`, { Amount: '-0.15', Reason: 'A fee' }).expect(200);
    const bank = await calls.post(`Deposits/${id}/bank`, { Date: '2026-11-23', Amount: '11.10' }).expect(200);
    expect(bank.body).toMatchObject({ status: 'Matches', bankAmount: '11.10', adjusted: '-0.15' });
    await calls.post(`Deposits/${id}/reconcile`, { ItemCount: 2, Expected: '11.10' }).expect(200);
  });

  it('has a deposit for each currency of its gifts', async () => {
    const [Source, PayoutId] = [unique('s'), unique('po')];
    const former = await formerGift(Source, PayoutId);
    const { id: today } = await calls.gift({ Source, PayoutId, Amount: '40000' });
    const one = await make({ Source, PayoutId });
    expect(one).toMatchObject({ currency: 'UGX', gross: '40000', itemCount: 1 });
    const list = await service.get(`Payouts?source=${Source}`, calls.finance).expect(200);
    expect((list.body as { payouts: unknown[] }).payouts).toMatchObject([{ currency: 'USD', deposit: null }]);
    const other = await make({ Source, PayoutId, Currency: 'usd' });
    expect(other).toMatchObject({ currency: 'USD', gross: '10.50', itemCount: 1 });
    const ids = await Promise.all([one, other].map(async ({ id }) => (await calls.read(id)).items[0]?.paymentId));
    expect(ids).toEqual([today, former]);
    const euro = (): ReturnType<typeof calls.post> =>
      calls.post('Payouts/deposit', { Source, PayoutId, Currency: 'EUR' });
    const { detail } = await refusal(service, euro, 404, 'payout_not_found');
    expect(detail).toBe(`No gift in EUR of the source ${Source} has the PayoutId ${PayoutId}.`);
  });

  it('is made on the page of deposits, and its bank line has its decimals', async () => {
    const [Source, PayoutId] = [unique('s'), unique('po')];
    await formerGift(Source, PayoutId);
    await calls.gift({ Source, PayoutId, Amount: '40000' });
    const ticks = ['USD', 'UGX'].map((currency) => JSON.stringify([Source, PayoutId, currency]));
    const { text } = await visitor.get(DEPOSITS).expect(200);
    const shown = text.replaceAll('&quot;', '"');
    for (const tick of ticks) expect(shown).toContain(tick);
    const sent = { 'payout-1': ticks[0] ?? '', 'payout-2': ticks[1] ?? '' };
    expect(flashOf((await visitor.post(`${DEPOSITS}/payouts`, sent).expect(303)).headers)).toBe('2 deposits are made.');
    const rows = await before.database.query<{ id: number; currency: string }>(
      'SELECT id, currency FROM deposit WHERE source = $1 ORDER BY currency',
      [Source],
    );
    const [ugx, usd] = rows;
    expect(rows.map(({ currency }) => currency)).toEqual(['UGX', 'USD']);
    const form = { Was: JSON.stringify([null, null, null]), BankDate: '2026-11-23' };
    await visitor.post(`${DEPOSITS}/${usd?.id}/bank`, { ...form, BankAmount: '10.25' }).expect(303);
    expect(await calls.read(usd?.id ?? 0)).toMatchObject({ status: 'Matches', bankAmount: '10.25' });
    const refused = await visitor.post(`${DEPOSITS}/${ugx?.id}/bank`, { ...form, BankAmount: '40000.5' }).expect(400);
    expect(textOf(refused.text)).toContain('Amount at the bank must be digits only');
    expect(refused.text).toContain('value="40000.5"');
    const adjust = { AdjustAmount: '0.5', AdjustReason: 'x' };
    const adjusted = await visitor.post(`${DEPOSITS}/${ugx?.id}/adjust`, adjust).expect(400);
    expect(textOf(adjusted.text)).toContain('Add to what is expected must be digits only');
  });
});

describe('a deposit of gifts in a former currency', () => {
  it('is sent and entered with its Currency, and keeps it', async () => {
    const id = await formerGift('txt2give', unique('po'), { Fee: undefined });
    const Items = [{ ContributionId: id, Fee: '0.75' }];
    const without = await refusal(service, () => calls.send({ Items }), 422, 'deposit_item_unclear');
    expect(without.detail).toContain(
      `contribution ${id} is in USD, and the deposit in UGX. Put it into a deposit with the Currency USD.`,
    );
    const fields = { DepositId: unique('po'), Items, Amount: '9.75', Currency: 'USD' };
    expect(await calls.accepted(fields)).toMatchObject({ currency: 'USD', status: 'Matches', amount: '9.75' });
    // A processor that does not name the currency, as it did not before, means the deposit that exists.
    const again = await calls.send({ ...fields, Currency: undefined }).expect(200);
    expect(again.headers['idempotency-replayed']).toBe('true');
  });

  it('is another deposit than that in the present currency with its name', async () => {
    const entered = { DepositId: unique('f'), Source: 'txt2give', Date: '2026-11-20' };
    const enter = async (fields: object): Promise<DepositAnswer> =>
      (await calls.post('Deposits/enter', { ...entered, ...fields }).expect(200)).body as DepositAnswer;
    const [today, former] = [await enter({}), await enter({ Currency: 'USD' })];
    expect([today, former]).toMatchObject([{ currency: 'UGX' }, { currency: 'USD' }]);
    expect((await enter({})).id).toBe(today.id);
    expect((await enter({ Currency: 'USD' })).id).toBe(former.id);
  });

  it.each<[string, object, string]>([
    ['a currency in which there is no gift', { Currency: 'EUR' }, 'must be UGX, or a former currency of the church'],
    ['a text that is no currency', { Currency: 'dollars' }, 'must be the code of a currency'],
    ['an amount with decimals that its currency does not have', { Amount: '1000.5' }, 'must be digits only'],
    ['a fee with such decimals', { Items: [{ TransactionId: 'x', Fee: '0.5' }] }, 'number 1: Fee must be digits only'],
  ])('is refused with %s', async (_what, fields, message) => {
    const { errors } = await refusal(service, () => calls.send(fields), 400, 'invalid_request');
    expect(errors?.[0]?.message).toContain(message);
  });

  it('is refused at once, although somebody puts payments into deposits, in a currency in which there is no gift', async () => {
    const client = new Client({ connectionString: before.database.url });
    await client.connect();
    try {
      await client.query(`BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('payments in deposits', 0))`);
      const { errors } = await refusal(service, () => calls.send({ Currency: 'EUR' }), 400, 'invalid_request');
      expect(errors).toMatchObject([{ field: 'Currency' }]);
    } finally {
      await client.end();
    }
  });

  it('is sent in its Currency before and after its gifts are summed up, and must wait if the books are summed up anew', async () => {
    const send = async (status: number, fields: object = {}): Promise<unknown> =>
      (await calls.send({ Items: undefined, Currency: 'USD', ...fields }).expect(status)).body;
    await formerGift('txt2give', unique('po'));
    await sumUp();
    const summedUp = { DepositId: unique('po') };
    const first = await send(200, summedUp);
    // As after somebody's own SQL has changed a contribution.
    await before.database.query(`DELETE FROM fund_month_total;
      UPDATE reading_progress SET up_to = 0, complete = false WHERE reader = 'totals'`);
    expect(await send(503)).toMatchObject({ code: 'totals_not_ready' });
    expect(await send(200, summedUp)).toEqual(first);
    await before.database.query(`UPDATE reading_progress SET complete = true WHERE reader = 'totals'`);
    expect(await send(200)).toMatchObject({ currency: 'USD' });
    await sumUp();
    expect(await send(200)).toMatchObject({ currency: 'USD' });
  });

  it('is refused by the bank and by adjustments with decimals that its currency does not have', async () => {
    const { id } = await calls.accepted({ Items: undefined, Amount: '1000' });
    const calling = [
      () => calls.post(`Deposits/${id}/bank`, { Date: '2026-11-23', Amount: '1000.5' }),
      () => calls.post(`Deposits/${id}/adjust`, { Amount: '-0.5', Reason: 'x' }),
    ];
    for (const call of calling) {
      const { errors } = await refusal(service, call, 400, 'invalid_request');
      expect(errors).toMatchObject([{ field: 'Amount' }]);
    }
  });

  it('is offered only gifts in its currency on its page', async () => {
    const Source = unique('s');
    const former = await formerGift(Source, unique('po'));
    const { id: today } = await calls.gift({ Source, Amount: '40000' });
    const fields = { DepositId: unique('f'), Source, Date: await churchDay(), Currency: 'USD' };
    const entered = await calls.post('Deposits/enter', fields).expect(200);
    const { text } = await visitor.get(`${DEPOSITS}/${(entered.body as DepositAnswer).id}/add`).expect(200);
    expect(text).toContain(`name="item-${former}"`);
    expect(text).not.toContain(`name="item-${today}"`);
  });
});

/** Today in church time, which is UTC here. */
async function churchDay(): Promise<string> {
  const [row] = await before.database.query<{ day: string }>(`SELECT (now() AT TIME ZONE 'UTC')::date::text AS day`);
  return row?.day ?? '';
}
