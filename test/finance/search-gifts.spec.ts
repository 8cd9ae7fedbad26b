import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type supertest from 'supertest';
import { type Login, startTestApp, type TestApp } from '../support/test-app.js';
import { mergePersons } from '../support/merge-persons.js';
import type { Added, Problem } from '../contract/gift-requests.js';
import { moveToFund, reversePart } from '../contract/payment-rows.js';

const PASSWORD = 'correct horse battery';
const FINANCE: Login = ['treasurer', PASSWORD];

interface FoundGift {
  readonly contributionId: number;
  readonly paymentId: number;
  readonly giver: { readonly peopleId: number; readonly asSent: object | null };
  readonly matched: readonly string[];
}

interface GiftPage {
  readonly gifts: readonly FoundGift[];
  readonly next: string | null;
  readonly more: boolean;
  readonly complete: boolean;
}

let service: TestApp;

beforeAll(async () => {
  service = await startTestApp({ CHURCH_TIME_ZONE: 'America/Chicago' });
  await service.createUser(...FINANCE, ['Finance']);
  await service.createUser('kiosk', PASSWORD, ['Developer', 'APIOnly', 'APIWrite']);
  await service.database.query("INSERT INTO fund (name) VALUES ('Building')");
});
afterAll(() => service.stop());

type Query = Record<string, string | number>;

function find(query: Query, login = FINANCE): supertest.Test {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) parameters.set(name, String(value));
  return service.get(`Gifts?${parameters.toString()}`, login);
}

const pageOf = async (query: Query): Promise<GiftPage> => (await find(query).expect(200)).body as GiftPage;
const idsOf = async (query: Query): Promise<number[]> =>
  (await pageOf(query)).gifts.map(({ contributionId }) => contributionId);
const add = async (fields: object, login?: Login): Promise<Added> =>
  (await service.add(fields, login).expect(200)).body as Added;

describe('a gift is found', () => {
  let gift: Added;

  beforeAll(async () => {
    gift = await add({
      ...{ First: 'María José', Last: "De La Cruz-O'Neill", Email: 'Maria.Jose@Example.org', Phone: '(901) 555-0142' },
      ...{ Amount: '1234.56', Source: 'txt2give', TransactionId: 'T-77/a', Method: 'check', CheckNumber: '00815' },
      ...{ Notes: 'For the Café roof, in memory of Ole Ødegård', FundId: 2 },
    });
    await add({ First: 'Somebody', Last: 'Else', Email: 'else@example.org', Phone: '901-555-0199', Amount: '1234.57' });
  });

  it.each([
    ['the whole name', "María José De La Cruz-O'Neill", 'giver'],
    ['one word of the name', 'cruz', 'giver'],
    ['the beginning of a word', 'mari', 'giver'],
    ['words in another order', 'oneill jose', 'giver'],
    ['the name written as one word', 'DELACRUZ', 'giver'],
    ['the e-mail address in another letter case', 'maria.jose@example.ORG', 'giver'],
    ['the beginning of the e-mail address', 'maria.jose@ex', 'giver'],
    ['the phone number with another spelling', '+1 901 555 0142', 'giver'],
    ['the digits of the phone number', '9015550142', 'giver'],
    ['the amount', '1234.56', 'amount'],
    ['the amount with sign and separators', '$1,234.56', 'amount'],
    ['the amount as other countries write it', '1.234,56', 'amount'],
    ['the name and the amount', 'cruz 1234.56', 'giver,amount'],
    ['the amount and the name', '$1,234.56 María José', 'giver,amount'],
    ['a word of the notes and the amount', 'cafe 1.234,56', 'notes,amount'],
    ['the check number', '00815', 'checkNumber'],
    ['the transaction id', 'T-77/a', 'transactionId'],
    ['a word of the notes, without its accent', 'cafe', 'notes'],
    ['words of the notes', 'odegard ROOF', 'notes'],
  ])('by %s', async (_what, q, by) => {
    const { gifts, complete } = await pageOf({ q });
    expect(gifts.map(({ contributionId, matched }) => ({ contributionId, matched }))).toEqual([
      { contributionId: gift.ContributionId, matched: by.split(',') },
    ]);
    expect(complete).toBe(true);
  });

  it('by its id, and shows what a row of a page needs', async () => {
    const { gifts } = await pageOf({ q: gift.ContributionId });
    expect(gifts.find(({ contributionId }) => contributionId === gift.ContributionId)).toEqual({
      ...{ contributionId: gift.ContributionId, paymentId: gift.ContributionId, day: expect.any(String) },
      giver: { peopleId: gift.PeopleId, first: 'María José', last: "De La Cruz-O'Neill", asSent: null },
      ...{ fundId: 2, fund: 'Building', amount: '1234.56', left: '1234.56', currency: 'USD' },
      ...{ method: 'check', checkNumber: '00815', source: 'txt2give', transactionId: 'T-77/a' },
      ...{
        contributionTypeId: 1,
        contributionType: 'Regular',
        bundleId: expect.any(Number),
        processor: 'api',
        status: 'Recorded',
      },
      matched: ['contributionId'],
    });
  });

  it.each(['roo', 'maria else', '1234.5', 'T-77', '815', 'nobody', '…', '-', '%', "' OR 1=1 --"])(
    'not by %j',
    async (q) => {
      expect(await idsOf({ q })).toEqual([]);
    },
  );
});

describe('the giver of a gift', () => {
  it('is found by short forms of the first name', async () => {
    const robert = await add({ First: 'Robert', Last: 'Tanner', Email: 'rt@example.org', Phone: 'n/a', Amount: '3' });
    expect(await idsOf({ q: 'bob tanner' })).toEqual([robert.ContributionId]);
    const bob = await add({ First: 'Bob', Last: 'Tanner', Email: 'rt@example.org', Phone: 'n/a', Amount: '4' });
    expect(await idsOf({ q: 'bob tanner' })).toEqual([bob.ContributionId, robert.ContributionId]);
  });

  it('is found by the details as sent, where the gift went to a PeopleId', async () => {
    const owner = await add({ First: 'Ida', Last: 'Owner', Email: 'ida@example.org', Phone: 'n/a', Amount: '5' });
    const other = await add({
      ...{ First: 'Zoë', Last: 'Zimmermann', Email: 'zoe@example.org', Phone: '901-555-0188', Amount: '6' },
      PeopleId: owner.PeopleId,
    });
    for (const q of ['zoe', 'Zimmermann zoë', 'zoe@example.org', '9015550188']) {
      const { gifts } = await pageOf({ q });
      expect(gifts).toMatchObject([
        {
          contributionId: other.ContributionId,
          giver: { first: 'Ida', last: 'Owner', asSent: { first: 'Zoë', last: 'Zimmermann' } },
          matched: ['giverAsSent'],
        },
      ]);
    }
    expect(await idsOf({ q: 'ida owner' })).toEqual([other.ContributionId, owner.ContributionId]);
  });

  it('is found by an unusable phone number', async () => {
    const { ContributionId } = await add({
      First: 'Una',
      Last: 'Used',
      Email: 'u@example.org',
      Phone: '555-77',
      Amount: '7',
    });
    expect(await idsOf({ q: '55 577' })).toEqual([ContributionId]);
  });

  it('is found by the name before and after an edit of the person', async () => {
    const { ContributionId, PeopleId } = await add({
      ...{ First: 'Pat', Last: 'Mispelt', Email: 'pat@example.org', Phone: 'n/a', Amount: '8' },
    });
    expect(await idsOf({ q: 'mispelt' })).toEqual([ContributionId]);
    await service.database.query(
      "UPDATE person SET last_name = 'Misspelled', last_name_folded = 'misspelled' WHERE id = $1",
      [PeopleId],
    );
    expect(await idsOf({ q: 'misspelled' })).toEqual([ContributionId]);
    expect(await idsOf({ q: 'mispelt' })).toEqual([ContributionId]);
  });

  it('is found by either name after a merge and a reassignment', async () => {
    const one = await add({ First: 'Quentin', Last: 'Qualm', Email: 'q1@example.org', Phone: 'n/a', Amount: '9' });
    const two = await add({ First: 'Rhoda', Last: 'Rusk', Email: 'q2@example.org', Phone: 'n/a', Amount: '9.50' });
    await mergePersons(service, { from: one.PeopleId, into: two.PeopleId });
    expect(await idsOf({ q: 'qualm' })).toEqual([two.ContributionId, one.ContributionId]);
    expect(await idsOf({ q: 'rusk' })).toEqual([two.ContributionId, one.ContributionId]);
    const three = await add({ First: 'Sven', Last: 'Svensk', Email: 'q3@example.org', Phone: 'n/a', Amount: '9.75' });
    await service
      .http()
      .post(`/Api/Contributions/${three.ContributionId}/reassign`)
      .auth(...FINANCE)
      .send({ PeopleId: two.PeopleId })
      .expect(200);
    expect(await idsOf({ q: 'svensk' })).toEqual([three.ContributionId]);
    expect(await idsOf({ q: 'rusk' })).toHaveLength(3);
  });
});

describe('the amount', () => {
  it('of a split payment finds its parts, and that of a part the part', async () => {
    const { ContributionId } = await add({
      ...{ First: 'Sp', Last: 'Lit', Email: 'split@example.org', Phone: 'n/a', Amount: '70.70' },
      Splits: [
        { FundId: 1, Amount: '50.50' },
        { FundId: 2, Amount: '20.20' },
      ],
    });
    const parts = [ContributionId + 1, ContributionId];
    expect(await idsOf({ q: '70.70' })).toEqual(parts);
    expect(await idsOf({ q: 'Lit 70.70' })).toEqual(parts);
    expect(await idsOf({ q: 'Lit 70.71' })).toEqual([]);
    expect(await idsOf({ q: '20.2' })).toEqual([ContributionId + 1]);
    expect(await idsOf({ amount: '20.20' })).toEqual([ContributionId + 1]);
  });
});

describe('a reversed gift', () => {
  it('shows what is left, is found by the reason and by the id of its entry, which is not listed itself', async () => {
    const { ContributionId } = await add({
      ...{ First: 'Re', Last: 'Verser', Email: 'rev@example.org', Phone: 'n/a', Amount: '40', Source: 'x' },
    });
    const entry = await reversePart(service, ContributionId, '15', { reason: 'chargeback' });
    expect((await pageOf({ q: 'verser' })).gifts).toMatchObject([
      { contributionId: ContributionId, amount: '40.00', left: '25.00', status: 'Recorded' },
    ]);
    expect(await idsOf({ reason: 'chargeback' })).toEqual([ContributionId]);
    expect(await idsOf({ q: entry })).toEqual([ContributionId]);
  });
});

describe('filters', () => {
  it('are combined with the text and with each other', async () => {
    const giver = { First: 'Filt', Last: 'Er', Email: 'filter@example.org', Phone: 'n/a' };
    const old = await add({
      ...giver,
      Amount: '11',
      Date: '2024-03-05',
      Method: 'cash',
      PayoutId: 'po_f',
      Source: 'kiosk',
    });
    const recent = await add({ ...giver, Amount: '12', Date: '2025-03-05', FundId: 2 }, ['kiosk', PASSWORD]);
    const moved = await add({ ...giver, Amount: '13', Date: '2025-03-06' });
    await moveToFund(service, moved.ContributionId, 2);
    const all = [moved, recent, old].map(({ ContributionId }) => ContributionId);
    const q = 'filt er';
    expect(await idsOf({ q })).toEqual(all);
    expect(await idsOf({ q, from: '2025-01-01' })).toEqual(all.slice(0, 2));
    expect(await idsOf({ q, from: '2024-03-01', to: '2024-03-31' })).toEqual([old.ContributionId]);
    expect(await idsOf({ from: '2024-03-01', to: '2024-03-31' })).toEqual([old.ContributionId]);
    expect(await idsOf({ amount: '47.11', from: '2024-03-01', to: '2024-03-31' })).toEqual([]);
    expect(await idsOf({ q, fundId: 2 })).toEqual(all.slice(0, 2));
    expect(await idsOf({ q, fundId: 1 })).toEqual([old.ContributionId]);
    expect(await idsOf({ q, processor: 'kiosk' })).toEqual([recent.ContributionId]);
    expect(await idsOf({ q, source: 'kiosk' })).toEqual([old.ContributionId]);
    expect(await idsOf({ q, method: 'Cash' })).toEqual([old.ContributionId]);
    expect(await idsOf({ q, payoutId: 'po_f', minAmount: '11' })).toEqual([old.ContributionId]);
    expect(await idsOf({ q, minAmount: '11.50', maxAmount: '12.50' })).toEqual([recent.ContributionId]);
    expect(await idsOf({ q, amount: '13' })).toEqual([moved.ContributionId]);
    expect(await idsOf({ q, status: 'reversed' })).toEqual([]);
    expect(await idsOf({ peopleId: old.PeopleId })).toEqual(all);
    expect(await idsOf({ q: '11', peopleId: old.PeopleId })).toEqual([old.ContributionId]);
    const { gifts } = await pageOf({ q, fundId: 2 });
    expect(gifts).toMatchObject([{ fundId: 2, fund: 'Building' }, { fundId: 2 }]);
  });
});

describe('pages', () => {
  it('of a few days have the gifts of all days, the last recorded first', async () => {
    const tomorrow = new Date(Date.now() + 86_400_000).toLocaleDateString('en-CA', { timeZone: 'America/Chicago' });
    const days = ['2023-07-03', '2023-07-01', tomorrow, '2023-07-31', '2023-07-01', '2023-08-01', '2023-07-03'];
    for (const [i, Date] of [...days, ...days].entries())
      await add({
        ...{ First: 'Few', Last: 'Days', Email: 'days@example.org', Phone: 'n/a' },
        Amount: `${60 + i}`,
        Date,
      });
    const rows = await service.database.query<{ id: number; day: string }>(
      'SELECT id, day::text AS day FROM contribution WHERE reverses_id IS NULL AND moves_id IS NULL ORDER BY id DESC',
    );
    const recent = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);
    for (const [query, from, to] of [
      [{ from: '2023-07-01', to: '2023-07-31' }, '2023-07-01', '2023-07-31'],
      [{ from: '2023-07-01', to: '2023-07-01' }, '2023-07-01', '2023-07-01'],
      [{ from: '2023-07-02', to: '2023-07-30' }, '2023-07-02', '2023-07-30'],
      [{ from: recent }, recent, '9999-12-31'],
      [{ from: recent, to: '9999-12-31' }, recent, '9999-12-31'],
      [{ from: tomorrow }, tomorrow, '9999-12-31'],
      [{ from: '2023-07-04', to: '2023-07-30' }, '2023-07-04', '2023-07-30'],
    ] as const) {
      const expected = rows.filter(({ day }) => day >= from && day <= to).map(({ id }) => id);
      const found: number[] = [];
      for (let after: string | null = ''; after !== null;) {
        const page: GiftPage = await pageOf({ ...query, limit: 3, ...(after !== '' && { after }) });
        found.push(...page.gifts.map(({ contributionId }) => contributionId));
        after = page.next;
      }
      expect([query, found]).toEqual([query, expected]);
    }
    expect(rows.filter(({ day }) => day === tomorrow)).toHaveLength(2);
  });

  it('are complete and without repeats while gifts are added', async () => {
    const giver = {
      First: 'Pag',
      Last: 'Inated',
      Email: 'page@example.org',
      Phone: 'n/a',
      Amount: '14',
      Notes: 'paged',
    };
    const ids: number[] = [];
    for (let n = 0; n < 7; n++) ids.unshift((await add(giver)).ContributionId);
    const seen: number[] = [];
    for (let after: string | null = ''; after !== null;) {
      const page: GiftPage = await pageOf({ q: 'inated', limit: 2, ...(after !== '' && { after }) });
      expect(page.more).toBe(page.next !== null);
      seen.push(...page.gifts.map(({ contributionId }) => contributionId));
      after = page.next;
      await add(giver);
    }
    expect(seen).toEqual(ids);
    expect(await idsOf({ q: 'paged', limit: 200 })).toHaveLength(11);
  });
});

describe('the search', () => {
  it.each([
    [{ limit: 201 }, 'limit must be a whole number from 1 to 200.'],
    [{ limit: 0 }, 'limit must be a whole number from 1 to 200.'],
    [{ after: '0' }, 'after must be what the page before calls "next", unchanged.'],
    [{ after: 'x' }, 'after must be what the page before calls "next", unchanged.'],
    [{ from: '2025-01-02', to: '2025-01-01' }, 'to must not be before from.'],
    [{ minAmount: '10', maxAmount: '9.99' }, 'maxAmount must not be less than minAmount.'],
    [{ q: 'x'.repeat(201) }, 'q must be at most 200 characters long.'],
  ])('refuses %j', async (query, detail) => {
    expect(((await find(query as Record<string, string>).expect(400)).body as Problem).detail).toBe(detail);
  });

  it('without a text lists all gifts, the last recorded first', async () => {
    const ids = await idsOf({ limit: 200 });
    expect(ids).toEqual([...ids].sort((one, other) => other - one));
    const [{ count } = { count: 0 }] = await service.database.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM contribution WHERE reverses_id IS NULL AND moves_id IS NULL',
    );
    expect(ids).toHaveLength(count);
  });

  it('is for Finance only', async () => {
    await find({ q: 'cruz' }, service.login).expect(403);
  });

  it('is recorded as a reading', async () => {
    const [gift] = (await pageOf({ q: 'cruz' })).gifts;
    const entries = await service.database.query(
      "SELECT actor, subject, details FROM audit_entry WHERE action = 'contribution.search' ORDER BY id DESC LIMIT 1",
    );
    expect(entries).toEqual([
      { actor: 'treasurer', subject: 'gifts', details: { gifts: 1, people: 1, peopleIds: [gift?.giver.peopleId] } },
    ]);
  });
});
