import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type supertest from 'supertest';
import { holdLock } from '../support/held-lock.js';
import { mergePersons } from '../support/merge-persons.js';
import { type Login, startTestApp, type TestApp } from '../support/test-app.js';
import type { Added, Problem } from '../contract/gift-requests.js';

const PASSWORD = 'correct horse battery';
const FINANCE: Login = ['treasurer', PASSWORD];

interface PeoplePage {
  readonly people: readonly { readonly peopleId: number }[];
  readonly next: string | null;
  readonly more: boolean;
  readonly complete: boolean;
}

let service: TestApp;

beforeAll(async () => {
  service = await startTestApp();
  await service.createUser(...FINANCE, ['Finance']);
});
afterAll(() => service.stop());

const find = (query: Record<string, string>, login = FINANCE): supertest.Test =>
  service.get(`People?${new URLSearchParams(query).toString()}`, login);
const pageOf = async (query: Record<string, string>): Promise<PeoplePage> =>
  (await find(query).expect(200)).body as PeoplePage;
const idsOf = async (q: string): Promise<number[]> => (await pageOf({ q })).people.map(({ peopleId }) => peopleId);
const add = async (fields: object): Promise<Added> => (await service.add(fields).expect(200)).body as Added;

describe('a person is found', () => {
  let id: number;

  beforeAll(async () => {
    const giver = { First: 'Anna-Lena', Last: 'van der Berg', Email: 'AL@example.org', Phone: '901-555-0142' };
    id = (await add({ ...giver, Amount: '10', Date: '2023-05-01' })).PeopleId;
    await add({ ...giver, Amount: '5.50', Date: '2025-05-01' });
    await add({ ...giver, Amount: '100', Date: '2025-06-01', ContributionTypeId: 8 });
    await add({ First: 'Karl', Last: 'Dergberg', Email: 'karl@example.org', Phone: '901-555-0143', Amount: '1' });
  });

  it.each([
    'Anna-Lena van der Berg',
    'van der Berg, Anna-Lena',
    'lena',
    'LEN',
    'berg',
    'derb',
    'vanderberg',
    'ánna',
    'al@example.org',
    'AL@exam',
    '+1 (901) 555-0142',
    '9015550142',
  ])('by %j', async (q) => {
    expect(await idsOf(q)).toEqual([id]);
  });

  it('by PeopleId, with contacts and totals of gifts', async () => {
    const { people, ...page } = await pageOf({ q: String(id) });
    expect(page).toEqual({ next: null, more: false, complete: true });
    const contact = { peopleId: id, id: expect.any(Number), confirmed: true, createdAt: expect.any(String) };
    expect(people).toEqual([
      {
        ...{
          peopleId: id,
          first: 'Anna-Lena',
          last: 'van der Berg',
          nickname: null,
          formerLast: null,
          deceased: false,
        },
        contacts: [
          { ...contact, kind: 'email', value: 'AL@example.org' },
          { ...contact, kind: 'phone', value: '901-555-0142' },
        ],
        giving: [
          {
            ...{ currency: 'USD', count: 2, total: '15.50', pledgeCount: 1, pledgeTotal: '100.00' },
            ...{ firstYear: 2023, lastYear: 2025 },
          },
        ],
      },
    ]);
  });

  it.each(['enna', 'erg', 'anna karl', '901555', '0', '%', '_', 'l@example'])('not by %j', async (q) => {
    expect(await idsOf(q)).toEqual([]);
  });
});

it('a merged person leads to the surviving one, by name, address and id', async () => {
  const one = await add({ First: 'Mona', Last: 'Merged', Email: 'mona@example.org', Phone: 'n/a', Amount: '1' });
  const two = await add({ First: 'Sue', Last: 'Survivor', Email: 'sue@example.org', Phone: 'n/a', Amount: '1' });
  const three = await add({ First: 'Last', Last: 'Survivor', Email: 'third@example.org', Phone: 'n/a', Amount: '1' });
  expect(await idsOf('merged')).toEqual([one.PeopleId]);
  await mergePersons(service, { from: one.PeopleId, into: two.PeopleId });
  for (const q of ['mona merged', 'mona@example.org', String(one.PeopleId)]) {
    expect(await idsOf(q)).toEqual([two.PeopleId]);
  }
  await mergePersons(service, { from: two.PeopleId, into: three.PeopleId });
  for (const q of ['mona merged', 'sue@', String(one.PeopleId), String(two.PeopleId)]) {
    expect(await idsOf(q)).toEqual([three.PeopleId]);
  }
});

it('a person is found by nickname, former name and a contact that came with a later gift', async () => {
  const giver = { First: 'Theodora', Last: 'Newname', Email: 'theo@example.org', Phone: '901-555-0177' };
  const { PeopleId } = await add({ ...giver, Amount: '1' });
  await service.database.query(
    `UPDATE person SET nickname = 'Dodo', nickname_folded = 'dodo', former_last_name = 'Oldname',
     former_last_name_folded = 'oldname' WHERE id = $1`,
    [PeopleId],
  );
  await add({ ...giver, Email: 'second.address@example.org', Amount: '2' });
  for (const q of ['dodo', 'dodo oldname', 'newname', 'second.address@example.org']) {
    expect(await idsOf(q)).toEqual([PeopleId]);
  }
});

it('a short form finds first names, and no last names', async () => {
  const person = async (First: string, Last: string): Promise<number> =>
    (await add({ First, Last, Email: `${First}.${Last}@example.org`, Phone: 'n/a' })).PeopleId;
  const [rob, named, both] = [await person('Bob', 'Ashby'), await person('Ida', 'Bob'), await person('Bob', 'Bob')];
  const robert = await person('Robert', 'Ashby');
  expect(await idsOf('robert')).toEqual([robert, rob, both]);
  expect(await idsOf('robert ashby')).toEqual([robert, rob]);
  expect(await idsOf('bob')).toEqual([rob, named, both, robert]);
});

it('whole words come before beginnings, and pages are complete and without repeats', async () => {
  const ids: number[] = [];
  for (const first of ['Jonathana', 'Jona', 'Jonas', 'Jona']) {
    const n = ids.length;
    ids.push(
      (await add({ First: first, Last: `Pager${n}`, Email: `j${n}@example.org`, Phone: 'n/a', Amount: '1' })).PeopleId,
    );
  }
  const [jonathana, jona, jonas, otherJona] = ids;
  const expected = [jona, otherJona, jonathana, jonas];
  expect(await idsOf('jona')).toEqual(expected);
  const seen: (number | undefined)[] = [];
  for (let after: string | null = ''; after !== null;) {
    const page: PeoplePage = await pageOf({ q: 'jona', limit: '1', ...(after !== '' && { after }) });
    seen.push(...page.people.map(({ peopleId }) => peopleId));
    after = page.next;
  }
  expect(seen).toEqual(expected);
});

it('thousands of people have the same order', async () => {
  const people = 5_600;
  await service.database.query(
    `INSERT INTO person (first_name, last_name, email, phone, first_name_folded, last_name_folded)
     SELECT CASE WHEN n % 700 = 0 THEN 'Many' ELSE 'Manyfold' END, 'Crowd', 'n/a', 'n/a',
       CASE WHEN n % 700 = 0 THEN 'many' ELSE 'manyfold' END, 'crowd'
     FROM generate_series(1, $1::integer) n`,
    [people],
  );
  const seen: number[] = [];
  for (let after: string | null = ''; after !== null;) {
    const page: PeoplePage = await pageOf({ q: 'many crowd', limit: '200', ...(after !== '' && { after }) });
    if (seen.length === 0 && !page.complete) continue;
    seen.push(...page.people.map(({ peopleId }) => peopleId));
    after = page.next;
  }
  expect(seen).toHaveLength(people);
  expect(new Set(seen).size).toBe(people);
  const whole = await service.database.query<{ id: number }>(
    "SELECT id FROM person WHERE first_name = 'Many' ORDER BY id",
  );
  expect(seen.slice(0, 8)).toEqual(whole.map(({ id }) => id));
  expect(seen.slice(8)).toEqual([...seen.slice(8)].sort((one, other) => one - other));
});

describe('the search', () => {
  it.each<[Record<string, string>, string]>([
    [{ q: ' ' }, 'q must not be blank: leave it out instead.'],
    [{ q: 'x'.repeat(201) }, 'q must be at most 200 characters long.'],
    [{ q: 'a', limit: '201' }, 'limit must be a whole number from 1 to 200.'],
    [{ q: 'a', after: '3.1' }, 'after must be what the page before calls "next", unchanged.'],
    [{ q: 'a', after: '1' }, 'after must be what the page before calls "next", unchanged.'],
  ])('refuses %j', async (query, detail) => {
    expect(((await find(query).expect(400)).body as Problem).detail).toBe(detail);
  });

  it('without a text lists everybody who is not merged', async () => {
    const { people, more, next } = await pageOf({ limit: '3' });
    const all = await service.database.query<{ id: number }>(
      'SELECT id FROM person WHERE merged_into IS NULL ORDER BY id LIMIT 3',
    );
    expect(people.map(({ peopleId }) => peopleId)).toEqual(all.map(({ id }) => id));
    expect({ more, next }).toEqual({ more: true, next: `2.${all[2]?.id}` });
  });

  it('that finds nobody reads no contacts', async () => {
    const lock = await holdLock(service.database.url, 'LOCK TABLE contact IN ACCESS EXCLUSIVE MODE', []);
    try {
      expect(await pageOf({ q: 'nobody-has-this-name' })).toMatchObject({ people: [], more: false });
    } finally {
      await lock.release();
    }
  });

  it('is for Finance only, and recorded as a reading', async () => {
    await find({ q: 'berg' }, service.login).expect(403);
    const [person] = await idsOf('vanderberg');
    const entries = await service.database.query(
      "SELECT actor, subject, details FROM audit_entry WHERE action = 'person.search' ORDER BY id DESC LIMIT 1",
    );
    expect(entries).toEqual([{ actor: 'treasurer', subject: 'people', details: { people: 1, peopleIds: [person] } }]);
  });
});
