import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type supertest from 'supertest';
import { Contacts } from '../../src/people/contacts/contacts.service.js';
import { type Login, startTestApp, type TestApp } from '../support/test-app.js';
import type { Added, Problem } from '../contract/gift-requests.js';
import { moveToFund, reinstate, reversePart } from '../contract/payment-rows.js';
import { mergePersons } from '../support/merge-persons.js';

const PASSWORD = 'correct horse battery';
const FINANCE: Login = ['treasurer', PASSWORD];

let service: TestApp;
let readerOnly: Login;

beforeAll(async () => {
  service = await startTestApp({ CHURCH_TIME_ZONE: 'America/Chicago' });
  await service.createUser(...FINANCE, ['Finance']);
  readerOnly = await service.createUser('reader', PASSWORD, ['Developer', 'APIOnly']);
  await service.database.query("INSERT INTO fund (name, is_open) VALUES ('Building', false)");
});
afterAll(() => service.stop());

const get = (path: string, login = FINANCE): supertest.Test => service.get(path, login);
const giver = { First: 'Ann', Last: 'Lee', Email: 'ann@example.org', Phone: '901-555-0101' };
const add = async (fields: object): Promise<Added> => (await service.add(fields).expect(200)).body as Added;

it.each([
  ['a processor', () => readerOnly],
  ['Finance', () => FINANCE],
])('%s sees the funds', async (_who, login) => {
  expect((await get('Funds', login()).expect(200)).body).toEqual({
    funds: [
      { fundId: 1, name: 'General', open: true, default: true },
      { fundId: 2, name: 'Building', open: false, default: false },
    ],
  });
});

describe('a person, as Finance sees them,', () => {
  it('has their details and totals for each year in church time, with pledges separate', async () => {
    const { PeopleId, ContributionId } = await add({ ...giver, Amount: '10', Date: '2024-12-31T23:30:00-06:00' });
    // 2025 in UTC and 2024 in Chicago.
    await add({ ...giver, Amount: '2.50', Date: '2025-01-01T05:59:59Z' });
    await add({ ...giver, Amount: '4', Date: '2025-01-01T06:00:00Z' });
    await add({ ...giver, Amount: '1000', ContributionTypeId: 8, Date: '2025-06-01' });
    const noPledges = { pledgeCount: 0, pledgeTotal: '0.00' };
    const allDeductible = (count: number, total: string): object => ({
      ...{ count, total, deductibleCount: count, deductibleTotal: total },
      ...{ nonDeductibleCount: 0, nonDeductibleTotal: '0.00', nonCashCount: 0, nonCashTotal: '0.00' },
    });
    const year2024 = { year: 2024, currency: 'USD', ...allDeductible(2, '12.50'), ...noPledges };
    const year2025 = {
      ...{ year: 2025, currency: 'USD', ...allDeductible(1, '4.00') },
      ...{ pledgeCount: 1, pledgeTotal: '1000.00' },
    };
    const person = await get(`People/${PeopleId}`).expect(200);
    expect(person.body).toEqual({
      ...{ peopleId: PeopleId, first: 'Ann', last: 'Lee', nickname: null, formerLast: null },
      ...{ email: 'ann@example.org', phone: '901-555-0101', address: null, zip: null, deceased: false },
      ...{ mergedInto: null, mergedFrom: [], version: expect.stringMatching(/^[0-9a-f]{16}$/) },
      contacts: await service.app.get(Contacts, { strict: false }).list(PeopleId),
      giving: [year2025, year2024],
    });

    // The totals of past years do not change: a reversal counts in the year in which it is made.
    await service.reverse(`${ContributionId}/x`).expect(200);
    const thisYear = { year: expect.any(Number) as unknown, currency: 'USD', count: 1, total: '-10.00', ...noPledges };
    expect((await get(`People/${PeopleId}`).expect(200)).body).toMatchObject({
      giving: [thisYear, year2025, year2024],
    });
  });

  it('has separate totals of deductible, non-deductible and non-cash gifts, each net of its reversals', async () => {
    const cat = { First: 'Cat', Last: 'Lee', Email: 'cat@example.org', Phone: '901-555-0103', Date: '2025-03-01' };
    const ids: number[] = [];
    let PeopleId = 0;
    for (const [type, amount] of [
      ...([1, 5] as const).map((id) => [id, '10'] as const),
      ...([9, 9] as const).map((id) => [id, '20.25'] as const),
      ...([10, 20, 8] as const).map((id) => [id, '300'] as const),
    ]) {
      const gift = await add({ ...cat, Amount: amount, ContributionTypeId: type });
      ids.push(gift.ContributionId);
      PeopleId = gift.PeopleId;
    }
    expect((await get(`People/${PeopleId}`).expect(200)).body).toMatchObject({
      giving: [
        {
          ...{ year: 2025, count: 6, total: '660.50', pledgeCount: 1, pledgeTotal: '300.00' },
          ...{ deductibleCount: 2, deductibleTotal: '20.00', nonDeductibleCount: 2, nonDeductibleTotal: '40.50' },
          ...{ nonCashCount: 2, nonCashTotal: '600.00' },
        },
      ],
    });
    await service.reverse(`${ids[2]}/x`).expect(200);
    await service.reverse(`${ids[4]}/x`).expect(200);
    const [thisYear] = ((await get(`People/${PeopleId}`).expect(200)).body as { giving: object[] }).giving;
    expect(thisYear).toMatchObject({
      ...{ count: 2, total: '-320.25', deductibleCount: 0, deductibleTotal: '0.00' },
      ...{ nonDeductibleCount: 1, nonDeductibleTotal: '-20.25', nonCashCount: 1, nonCashTotal: '-300.00' },
    });
  });

  it('counts a reinstatement in the year of the reversal that it undoes, and no moves to another fund', async () => {
    const dan = { First: 'Dan', Last: 'Lee', Email: 'dan@example.org', Phone: '901-555-0104' };
    const { PeopleId, ContributionId } = await add({ ...dan, Amount: '100', Date: '2024-12-20' });
    const giving = async (): Promise<object[]> =>
      ((await get(`People/${PeopleId}`).expect(200)).body as { giving: object[] }).giving;
    const year2024 = { year: 2024, count: 1, total: '100.00', deductibleCount: 1, deductibleTotal: '100.00' };
    const entry = await reversePart(service, ContributionId, '40', { day: '2025-01-10', reason: 'chargeback' });
    expect(await giving()).toMatchObject([{ year: 2025, count: 1, total: '-40.00' }, year2024]);
    const again = await reinstate(service, entry);
    const won = { year: 2025, count: 2, total: '0.00', deductibleCount: 2, deductibleTotal: '0.00' };
    expect(await giving()).toMatchObject([won, year2024]);
    await moveToFund(service, again, 2);
    expect(await giving()).toMatchObject([won, year2024]);
    // The gift that was reinstated can be taken back again.
    await reversePart(service, again, '40', { day: '2026-02-01' });
    expect(await giving()).toMatchObject([{ year: 2026, count: 1, total: '-40.00' }, won, year2024]);
  });

  it('points to the survivor after a merge', async () => {
    const from = await add({ ...giver, First: 'Bob', Amount: '10', Date: '2026-01-15' });
    const into = await add({
      ...giver,
      First: 'Rob',
      Email: 'rob@example.org',
      Phone: '901-555-0102',
      Amount: '5',
      Date: '2026-01-15',
    });
    await mergePersons(service, { from: from.PeopleId, into: into.PeopleId });
    const merged = (await get(`People/${from.PeopleId}`).expect(200)).body as object;
    expect(merged).toMatchObject({ first: 'Bob', mergedInto: into.PeopleId, giving: [] });
    const survivor = await get(`People/${into.PeopleId}`).expect(200);
    expect(survivor.body).toMatchObject({ giving: [{ year: 2026, count: 2, total: '15.00' }] });
  });

  it('returns 404 for an unknown id and 400 for a malformed one', async () => {
    expect((await get('People/2000000001').expect(404)).body).toMatchObject({ code: 'giver_not_found' });
    expect(((await get('People/1e1').expect(400)).body as Problem).errors).toHaveLength(1);
  });
});
