import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type supertest from 'supertest';
import { SumTotals } from '../../src/contributions/reading/totals/sum-totals.service.js';
import { fromCents, storedAmount, toCents } from '../../src/values/index.js';
import { type Login, startTestApp, type TestApp } from '../support/test-app.js';
import type { Added, Problem } from '../contract/gift-requests.js';
import { moveToFund, reinstate, reversePart } from '../contract/payment-rows.js';

const PASSWORD = 'correct horse battery';
const FINANCE: Login = ['treasurer', PASSWORD];

interface Sums {
  readonly gifts: number;
  readonly total: string;
  readonly deductible: string;
  readonly nonDeductible: string;
  readonly nonCash: string;
  readonly pledges: string;
}

interface Totals {
  readonly months: readonly string[];
  readonly currencies: readonly {
    readonly currency: string;
    readonly funds: readonly {
      readonly fundId: number;
      readonly name: string;
      readonly months: Sums[];
      readonly sum: Sums;
    }[];
    readonly months: readonly Sums[];
    readonly sum: Sums;
  }[];
}

let service: TestApp;

beforeAll(async () => {
  service = await startTestApp({ CHURCH_TIME_ZONE: 'America/Chicago' });
  await service.createUser(...FINANCE, ['Finance']);
  await service.database.query("INSERT INTO fund (name) VALUES ('Building')");
});
afterAll(() => service.stop());

const get = (path: string, login = FINANCE): supertest.Test => service.get(path, login);
const totalsOf = async (query: string): Promise<Totals> => (await get(`Totals${query}`).expect(200)).body as Totals;
const giver = { First: 'Tot', Last: 'Al', Email: 'total@example.org', Phone: '901-555-0101' };
const add = async (fields: object): Promise<number> =>
  ((await service.add({ ...giver, ...fields }).expect(200)).body as Added).ContributionId;
const sumUp = async (): Promise<void> => {
  while (await service.app.get(SumTotals, { strict: false }).sumNew());
};

const none = { gifts: 0, total: '0.00', deductible: '0.00', nonDeductible: '0.00', nonCash: '0.00', pledges: '0.00' };
const money = (gifts: number, total: string): Sums => ({ ...none, gifts, total, deductible: total });

describe('totals of a year', () => {
  beforeAll(async () => {
    const moved = await add({ Amount: '10', Date: '2024-01-31T23:30:00-06:00' });
    await add({ Amount: '2.50', Date: '2024-02-01T06:00:00Z', FundId: 2 });
    await add({ Amount: '30', Date: '2024-02-29', ContributionTypeId: 9 });
    await add({ Amount: '50', Date: '2024-12-31', ContributionTypeId: 20 });
    await add({ Amount: '1000', Date: '2024-12-31', ContributionTypeId: 8 });
    const refunded = await add({ Amount: '40', Date: '2024-11-30' });
    await add({ Amount: '7', Date: '2025-01-01' });
    await reversePart(service, refunded, '15', { day: '2024-12-01' });
    const disputed = await reversePart(service, refunded, '5', { day: '2024-12-02' });
    await reinstate(service, disputed);
    await moveToFund(service, moved, 2);
  });

  const expected = async (): Promise<void> => {
    const { months, currencies } = await totalsOf('?year=2024');
    expect(months).toEqual(Array.from({ length: 12 }, (_, index) => `2024-${String(index + 1).padStart(2, '0')}`));
    const [usd, ...others] = currencies;
    expect(others).toEqual([]);
    const [general, building] = usd?.funds ?? [];
    expect(general).toMatchObject({ fundId: 1, name: 'General' });
    // The move has the day of its gift here: from General to Building in January.
    expect(general?.months[0]).toEqual({ ...none, gifts: 1 });
    expect(general?.months[1]).toEqual({ ...none, gifts: 1, total: '30.00', nonDeductible: '30.00' });
    expect(general?.months[10]).toEqual(money(1, '40.00'));
    // Two reversals, of which one was undone.
    expect(general?.months[11]).toEqual({
      ...{
        gifts: 1,
        total: '35.00',
        deductible: '-15.00',
        nonDeductible: '0.00',
        nonCash: '50.00',
        pledges: '1000.00',
      },
    });
    expect(general?.sum).toEqual({
      ...{
        gifts: 4,
        total: '105.00',
        deductible: '25.00',
        nonDeductible: '30.00',
        nonCash: '50.00',
        pledges: '1000.00',
      },
    });
    expect(building).toMatchObject({ fundId: 2, name: 'Building', sum: money(1, '12.50') });
    expect(usd?.months[0]).toEqual(money(1, '10.00'));
    expect(usd?.sum).toMatchObject({ gifts: 5, total: '117.50', deductible: '37.50' });
  };

  it('are exact before and after the job has summed up the contributions', async () => {
    await expected();
    await sumUp();
    await expected();
    const [progress] = await service.database.query('SELECT up_to FROM reading_progress WHERE reader = $1', ['totals']);
    expect(progress).not.toEqual({ up_to: 0 });
  });

  it('are summed up anew after somebody’s own SQL has changed a contribution', async () => {
    await sumUp();
    const id = await add({ Amount: '3', Date: '2023-05-05' });
    await sumUp();
    await service.database.query("UPDATE contribution SET day = '2023-06-05' WHERE id = $1", [id]);
    const refused = await get('Totals').expect(503).expect('Retry-After', '15');
    expect((refused.body as Problem).code).toBe('totals_not_ready');
    await sumUp();
    const { currencies } = await totalsOf('?year=2023');
    expect(currencies[0]?.months[4]).toEqual(none);
    expect(currencies[0]?.months[5]).toEqual(money(1, '3.00'));
    await expected();
  });
});

describe('sums of rows and columns', () => {
  beforeEach(sumUp);

  it('agree, whatever was given and however much of it is summed up', async () => {
    const gift = fc.record({
      cents: fc.integer({ min: 1, max: 99_999_999 }),
      month: fc.integer({ min: 1, max: 12 }),
      FundId: fc.constantFrom(1, 2),
      ContributionTypeId: fc.constantFrom(1, 5, 9, 10, 20),
      isSummed: fc.boolean(),
    });
    let sum = toCents(storedAmount((await totalsOf('?year=2021')).currencies[0]?.sum.total ?? ''));
    await fc.assert(
      fc.asyncProperty(fc.array(gift, { minLength: 1, maxLength: 4 }), async (gifts) => {
        for (const { cents, month, isSummed, ...fields } of gifts) {
          const Date = `2021-${String(month).padStart(2, '0')}-15`;
          await add({ ...fields, Amount: fromCents(BigInt(cents)), Date });
          sum += BigInt(cents);
          if (isSummed) await sumUp();
        }
        const [usd] = (await totalsOf('?year=2021')).currencies;
        const sumOf = (some: readonly { readonly total: string }[]): bigint =>
          some.reduce((total, one) => total + toCents(storedAmount(one.total)), 0n);
        expect(toCents(storedAmount(usd?.sum.total ?? ''))).toBe(sum);
        expect(sumOf(usd?.months ?? [])).toBe(sum);
        expect(sumOf((usd?.funds ?? []).map((fund) => fund.sum))).toBe(sum);
        expect(sumOf((usd?.funds ?? []).flatMap(({ months }) => months))).toBe(sum);
      }),
      { numRuns: 15 },
    );
  });
});

it('the last twelve months end with this month', async () => {
  await add({ Amount: '8.25' });
  const { months, currencies } = (await get('Totals/recent').expect(200)).body as Totals;
  const [today] = await service.database.query<{ month: string }>(
    "SELECT to_char(now() AT TIME ZONE 'America/Chicago', 'YYYY-MM') AS month",
  );
  expect(months).toHaveLength(12);
  expect(months.at(-1)).toBe(today?.month);
  expect(currencies[0]?.months.at(-1)).toEqual(money(1, '8.25'));
});

describe('a request', () => {
  it.each([
    ['?year=2024&from=2024-01&to=2024-02', 'year cannot be sent with from and to.'],
    ['?from=2024-01', 'to is required with from.'],
    ['?to=2024-01', 'from is required with to.'],
    ['?from=2024-02&to=2024-01', 'to must not be before from.'],
    ['?from=2019-01&to=2024-01', 'to must be at most 60 months from the first one.'],
    ['?year=24', 'year must be a year from 1900 to 2199.'],
    ['?from=2024-13&to=2025-01', 'from must be a month as YYYY-MM, from 1900 to 2199.'],
  ])('%s is refused', async (query, detail) => {
    expect(((await get(`Totals${query}`).expect(400)).body as Problem).detail).toBe(detail);
  });

  it('without months means this year', async () => {
    const [today] = await service.database.query<{ year: string }>(
      "SELECT to_char(now() AT TIME ZONE 'America/Chicago', 'YYYY') AS year",
    );
    expect((await totalsOf('')).months[0]).toBe(`${today?.year}-01`);
  });

  it('is for Finance only', async () => {
    await get('Totals', service.login).expect(403);
    await get('Totals/recent', service.login).expect(403);
  });
});
