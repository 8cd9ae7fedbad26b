import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { gift, startTestApp, type TestApp } from '../support/test-app.js';
import { type Added, addedGift, fillPool, readBack, recordedGift, refusal } from './gift-requests.js';

let service: TestApp;
let count = 0;

beforeAll(async () => {
  service = await startTestApp();
});
afterAll(() => service.stop());

const added = (fields: object): Promise<Added> => addedGift(service, fields);

/** Unique letters, so that each test has its own givers. */
function letters(): string {
  count += 1;
  return `${count.toString(26).replace(/\d/g, (digit) => 'qrstuvwxyz'.charAt(Number(digit)))}k`;
}

/** A valid number of the United States that no other call returns, as its ten digits. */
function phone(): string {
  count += 1;
  return `615730${String(1000 + count)}`;
}

interface Giver {
  readonly First: string;
  readonly Last: string;
  readonly Email: string;
  readonly Phone: string;
}

function giver(fields: Partial<Giver> = {}): Giver {
  const unique = letters();
  return { First: `Ann${unique}`, Last: `Lee${unique}`, Email: `ann.${unique}@example.org`, Phone: phone(), ...fields };
}

/** An unknown e-mail and phone. */
const elsewhere = (): object => ({ Email: `${letters()}@example.net`, Phone: phone() });

async function together(gifts: readonly object[]): Promise<Added[]> {
  const answers = await Promise.all(gifts.map((fields) => service.add(fields)));
  expect(answers.map(({ status }) => status)).toEqual(gifts.map(() => 200));
  return answers.map(({ body }) => body as Added);
}

const persons = (gifts: readonly Added[]): number => new Set(gifts.map(({ PeopleId }) => PeopleId)).size;

describe('a person matches', () => {
  it('when all details are equal, for every gift', async () => {
    const sent = giver();
    const { PeopleId, NewPerson } = await added(sent);
    expect(NewPerson).toBe(true);
    for (const Amount of ['10', '3']) {
      expect(await added({ ...sent, Amount })).toMatchObject({ PeopleId, NewPerson: false, MultipleMatches: false });
    }
  });

  it('by name and e-mail, and by name and phone', async () => {
    const sent = giver();
    const { PeopleId } = await added(sent);
    expect(await added({ ...sent, Phone: phone() })).toMatchObject({ PeopleId, NewPerson: false });
    expect(await added({ ...sent, Email: `${letters()}@example.net` })).toMatchObject({ PeopleId, NewPerson: false });
  });

  it.each([
    ['only the name', () => elsewhere()],
    ['everything but the first name', () => ({ First: `Bea${letters()}` })],
    ['everything but the last name', () => ({ Last: `Ray${letters()}` })],
    ['everything, with first and last name exchanged', (sent: Giver) => ({ First: sent.Last, Last: sent.First })],
    ['only the last name and e-mail', () => ({ First: `Bea${letters()}`, Phone: phone() })],
    ['only the first name and phone', () => ({ Last: `Ray${letters()}`, Email: `${letters()}@example.net` })],
  ])('never by %s', async (_what, change) => {
    const sent = giver();
    const { PeopleId } = await added(sent);
    const other = await added({ ...sent, ...change(sent) });
    expect(other.NewPerson).toBe(true);
    expect(other.PeopleId).not.toBe(PeopleId);
  });

  it('separately for a couple that shares an e-mail or a phone', async () => {
    const [one, two] = [giver(), giver()];
    for (const shared of [{ Email: one.Email }, { Phone: one.Phone }]) {
      const couple = { ...two, Last: one.Last, ...shared };
      const first = await added(one);
      const second = await added(couple);
      expect(second.PeopleId).not.toBe(first.PeopleId);
      expect(await added(couple)).toMatchObject({
        PeopleId: second.PeopleId,
        NewPerson: false,
        MultipleMatches: false,
      });
    }
  });
});

describe('names are equal', () => {
  it.each([
    ['Rodr\u{ED}guez', 'Rodriguez'],
    ['Rodr\u{ED}guez', 'Rodri\u{301}guez'],
    ['Jos\u{E9}', 'JOSE'],
    ["O'Dell", 'O\u{2019}Dell'],
    ["O'Dell", 'ODell'],
    ["O'Dell", 'O\u{2BC}dell'],
    ['De La Cruz', 'DeLaCruz'],
    ['De La Cruz', 'de  la\u{A0}cruz'],
    ['Smith-Jones', 'Smith Jones'],
    ['Smith-Jones', 'Smith\u{2010}Jones'],
    ['Smith-Jones', 'SMITH\u{2013}JONES'],
    ['Stra\u{DF}er', 'Strasser'],
    ['STRA\u{1E9E}ER', 'strasser'],
    ['S\u{F8}rensen', 'Sorensen'],
    ['\u{C6}gir', 'aegir'],
    ['\u{141}ukasz', 'lukasz'],
    ['\u{110}or\u{111}e', 'dorde'],
    ['\u{FB01}nn', 'finn'],
    ['Z\u{14D}e', 'Zoe'],
    ['\u{391}\u{3BB}\u{3AD}\u{3BE}\u{3B7}\u{3C2}', '\u{391}\u{39B}\u{395}\u{39E}\u{397}\u{3A3}'],
    ['\u{418}\u{432}\u{430}\u{43D}', '\u{438}\u{432}\u{430}\u{43D}'],
    ['Ann\u{200B}a', 'Anna'],
    ['St. John', 'St John'],
    ['St. John', 'StJohn'],
    ['Gray, Jr.', 'Gray Jr'],
    ['Acme, Inc.', 'Acme Inc'],
    ['Acme, Inc.', 'ACME\u{FF0C} INC\u{FF0E}'],
    ['Acme Inc', 'Acme\u{60C} Inc\u{6D4}'],
    ['Acme Inc', 'Acme\u{3001}Inc\u{3002}'],
    ['J. R. R.', 'JRR'],
    ['-', '-'],
    ['-', ' -\u{200B}'],
    ['\u{2014}', '\u{2014}'],
    ["'", "'"],
    ['\u{2019}', '\u{2019}'],
    ['- -', '--'],
    ['...', '...'],
    [',', ','],
  ])('%j and %j', async (one, two) => {
    const sent = giver();
    const { PeopleId } = await added({ ...sent, Last: one });
    expect(await added({ ...sent, Last: two })).toMatchObject({ PeopleId, NewPerson: false });
    const { PeopleId: another } = await added({ ...sent, First: one });
    expect(await added({ ...sent, First: two, Phone: phone() })).toMatchObject({ PeopleId: another, NewPerson: false });
  });

  it.each([
    ['Anna', 'Anne'],
    ['Smith', 'Smyth'],
    ['Tom', 'Thomas'],
    ['Lee', 'Lee Jr'],
    ['\u{418}\u{43E}\u{439}', '\u{418}\u{43E}\u{438}'],
    ['\u{304C}', '\u{304B}'],
    ['\u{5F20}', '\u{738B}'],
    ['-', '\u{2014}'],
    ['-', '--'],
    ["'", '\u{2019}'],
    ['...', '.'],
    ['-', 'Lee'],
  ])('not %j and %j', async (one, two) => {
    const sent = giver();
    await added({ ...sent, Last: one });
    expect(await added({ ...sent, Last: two })).toMatchObject({ NewPerson: true });
  });

  it.each(['-', '\u{2014}', "'", '...', '\u{2019}'])(
    'for a giver who has one name and sends %j as the other: three gifts belong to one person',
    async (none) => {
      const sent = giver({ Last: none });
      const gifts = [await added(sent), await added({ ...sent, Phone: 'n/a' }), await added(sent)];
      expect(persons(gifts)).toBe(1);
      expect(gifts.map(({ NewPerson }) => NewPerson)).toEqual([true, false, false]);
      const other = { ...giver({ Last: none }), Email: sent.Email };
      expect(await added(other)).toMatchObject({ NewPerson: true });
    },
  );
});

describe('an e-mail address', () => {
  it('is equal in any letter case, trimmed', async () => {
    const sent = giver();
    const { PeopleId } = await added(sent);
    const again = { ...sent, Email: ` ${sent.Email.toUpperCase()}\u{A0}`, Phone: phone() };
    expect(await added(again)).toMatchObject({ PeopleId, NewPerson: false });
  });

  it.each([
    ['after it', (email: string) => `${email}\u{200B}`],
    ['before it', (email: string) => `\u{FEFF}\u{202A}${email}\u{202C}`],
    ['within it', (email: string) => email.replace('.', '\u{AD}.\u{2060}').replace('@', '@\u{200D}')],
    ['before a space', (email: string) => `${email}\u{200B} `],
  ])('is equal with invisible characters %s, and is stored as sent', async (_where, spell) => {
    const sent = giver({ Phone: 'n/a' });
    const { PeopleId } = await added(sent);
    const spelt = spell(sent.Email);
    const gift = await recordedGift(service, { ...sent, Email: spelt });
    expect(gift).toMatchObject({ peopleId: PeopleId, giver: { email: spelt.trim() } });
    const other = giver({ Phone: 'n/a' });
    const { PeopleId: another } = await added({ ...other, Email: spell(other.Email) });
    expect(await added(other)).toMatchObject({ PeopleId: another, NewPerson: false });
  });

  it.each([
    ['two full stops', (unique: string) => `em..${unique}@docomo.example`],
    ['a full stop first', (unique: string) => `.${unique}@docomo.example`],
    ['a full stop last', (unique: string) => `${unique}.@ezweb.example`],
    ['full stops all over', (unique: string) => `...${unique}..x...@ezweb.example`],
    ['a local part of 65 characters', (unique: string) => `${unique.padEnd(65, 'x')}@reply.example.org`],
    ['an underscore in the host', (unique: string) => `${unique}@my_church.example`],
  ])('that the standard forbids is stored and matches nobody: %s', async (_what, make) => {
    const sent = giver({ Email: make(letters()) });
    const first = await added(sent);
    expect(first.NewPerson).toBe(true);
    const [person] = await service.database.query('SELECT email, email_folded FROM person WHERE id = $1', [
      first.PeopleId,
    ]);
    expect(person).toEqual({ email: sent.Email, email_folded: null });
    expect(await added({ ...sent, Phone: phone() })).toMatchObject({ NewPerson: true });
    expect(await added({ ...sent, Phone: 'n/a' })).toMatchObject({ NewPerson: true });
    expect(await added(sent)).toMatchObject({ PeopleId: first.PeopleId, NewPerson: false, MultipleMatches: false });
    const contacts = await service.database.query(`SELECT 1 FROM contact WHERE kind = 'email' AND value = $1`, [
      sent.Email,
    ]);
    expect(contacts).toEqual([]);
  });

  it('is not equal with other dots or a tag', async () => {
    const sent = giver();
    await added(sent);
    expect(await added({ ...sent, Email: sent.Email.replace('.', ''), Phone: phone() })).toMatchObject({
      NewPerson: true,
    });
    expect(await added({ ...sent, Email: sent.Email.replace('@', '+a@'), Phone: phone() })).toMatchObject({
      NewPerson: true,
    });
  });
});

describe('a phone number', () => {
  const NOTATIONS: readonly [string, (digits: string) => unknown][] = [
    ['(901) 555-0101', (d) => `(${d.slice(0, 3)}) ${d.slice(3, 6)}-${d.slice(6)}`],
    ['+1 901 555 0101', (d) => `+1 ${d.slice(0, 3)} ${d.slice(3, 6)} ${d.slice(6)}`],
    ['1-901-555-0101', (d) => `1-${d.slice(0, 3)}-${d.slice(3, 6)}-${d.slice(6)}`],
    ['901.555.0101', (d) => `${d.slice(0, 3)}.${d.slice(3, 6)}.${d.slice(6)}`],
    ['901-555-0101 ext. 12', (d) => `${d.slice(0, 3)}-${d.slice(3, 6)}-${d.slice(6)} ext. 12`],
    ['+19015550101', (d) => `+1${d}`],
    ['the number 9015550101', (d) => Number(d)],
    ['a number within direction marks', (d) => `\u{202A}${d}\u{202C}`],
  ];

  it.each(NOTATIONS)('is equal when written as %s', async (_what, write) => {
    const sent = giver();
    const { PeopleId } = await added(sent);
    const again = { ...sent, Email: `${letters()}@example.net`, Phone: write(sent.Phone) };
    expect(await added(again)).toMatchObject({ PeopleId, NewPerson: false });
  });

  it('of another country is different, even if its last digits are equal', async () => {
    const sent = giver({ Phone: '+44 20 7946 0958' });
    const { PeopleId } = await added(sent);
    const british = { ...sent, Email: `${letters()}@example.net`, Phone: '+442079460958' };
    expect(await added(british)).toMatchObject({ PeopleId, NewPerson: false });
    const national = { ...sent, Email: `${letters()}@example.net`, Phone: '2079460958' };
    expect(await added(national)).toMatchObject({ NewPerson: true });
  });

  it.each(['n/a', 'none', '0', '000-000-0000', '123', '5', '-', '901-555', 'x'.repeat(50)])(
    'that is unusable, %j, matches nobody',
    async (unusable) => {
      const sent = giver({ Phone: unusable });
      const first = await added(sent);
      const second = await added({ ...sent, Email: `${letters()}@example.net` });
      expect([first.NewPerson, second.NewPerson]).toEqual([true, true]);
      expect(await added(sent)).toMatchObject({ PeopleId: first.PeopleId, NewPerson: false, MultipleMatches: false });
    },
  );
});

describe('among several matching persons', () => {
  /** Two persons with the same name but different e-mails and phones, in the order of their ids. */
  async function namesakes(): Promise<[Giver, number, Giver, number]> {
    const one = giver();
    const two = { ...one, ...elsewhere() };
    const ids = [(await added(one)).PeopleId, (await added(two)).PeopleId] as const;
    expect(ids[0]).toBeLessThan(ids[1]);
    return [one, ids[0], two, ids[1]];
  }

  /** Copies the contacts of these kinds from one person to another. */
  async function share(to: number, from: number, kinds: readonly string[]): Promise<void> {
    await service.database.query(
      `INSERT INTO contact (person_id, kind, value, folded, confirmed)
       SELECT $1, kind, value, folded, true FROM contact WHERE person_id = $2 AND kind = ANY ($3)`,
      [to, from, kinds],
    );
  }

  it('the lowest PeopleId gets the gift if each shares one contact, and MultipleMatches is true', async () => {
    const [one, id, two] = await namesakes();
    const answer = { PeopleId: id, NewPerson: false, MultipleMatches: true };
    expect(await added({ ...one, Phone: two.Phone })).toMatchObject(answer);
    expect(await added({ ...two, Phone: one.Phone })).toMatchObject(answer);
  });

  it('a person who shares both contacts is preferred to a lower PeopleId who shares one', async () => {
    const [, low, two, high] = await namesakes();
    await share(low, high, ['phone']);
    expect(await added(two)).toMatchObject({ PeopleId: high, NewPerson: false, MultipleMatches: true });
  });

  it('the lowest PeopleId gets the gift if all share both contacts', async () => {
    const [, low, two, high] = await namesakes();
    await share(low, high, ['phone', 'email']);
    expect(await added(two)).toMatchObject({ PeopleId: low, NewPerson: false, MultipleMatches: true });
  });

  it('MultipleMatches is false if only one of two namesakes matches', async () => {
    const [one, low, two, high] = await namesakes();
    expect(await added(one)).toMatchObject({ PeopleId: low, MultipleMatches: false });
    expect(await added(two)).toMatchObject({ PeopleId: high, MultipleMatches: false });
  });

  it('the same person gets the gift with IgnoreUnknownPerson', async () => {
    const [one, low, two] = await namesakes();
    const answer = { PeopleId: low, MultipleMatches: true };
    expect(await added({ ...one, Phone: two.Phone, IgnoreUnknownPerson: true })).toMatchObject(answer);
  });
});

describe('the person', () => {
  const rowOf = (id: number): Promise<unknown> => service.database.query('SELECT * FROM person WHERE id = $1', [id]);

  it('is created with the details of the first gift', async () => {
    const sent = { ...giver(), Address: '1 Main St\nApt 2', Zip: '02134' };
    const { PeopleId } = await added(sent);
    const row = { first_name: sent.First, last_name: sent.Last, email: sent.Email, phone: sent.Phone };
    expect(await rowOf(PeopleId)).toMatchObject([{ ...row, address: sent.Address, zip: '02134' }]);
  });

  it.each([
    ['matched', (sent: Giver) => ({ ...sent, First: sent.First.toUpperCase(), Email: sent.Email.toUpperCase() })],
    ['named by PeopleId', () => ({ ...giver(), Amount: '7' })],
  ])('is not changed by a gift for which it was %s, and the gift stores the details as sent', async (how, change) => {
    const sent = giver();
    const { PeopleId } = await added(sent);
    const before = await rowOf(PeopleId);
    const later = { ...change(sent), Address: '2 Other St', Zip: 38103 };
    const view = await recordedGift(service, { ...later, ...(how !== 'matched' && { PeopleId }) });
    expect(await rowOf(PeopleId)).toEqual(before);
    const details = { first: later.First, last: later.Last, email: later.Email, phone: later.Phone };
    expect(view).toMatchObject({ peopleId: PeopleId, giver: { ...details, address: '2 Other St', zip: '38103' } });
  });

  it('named by PeopleId gets the gift without matching', async () => {
    const [one, two] = [giver(), giver()];
    const { PeopleId } = await added(one);
    await added(two);
    expect(await added({ ...two, PeopleId })).toMatchObject({ PeopleId, NewPerson: false, MultipleMatches: false });
    expect(await added({ ...giver(), PeopleId, IgnoreUnknownPerson: true })).toMatchObject({ PeopleId });
  });

  it('is not created if IgnoreUnknownPerson is true', async () => {
    await refusal(service, () => service.add({ ...giver(), IgnoreUnknownPerson: true }), 422, 'unknown_person');
  });

  it('is not stored if the gift is refused', async () => {
    const sent = giver();
    await refusal(service, () => service.add({ ...sent, FundId: 2000000001 }), 422, 'fund_not_found');
    expect(await added(sent)).toMatchObject({ NewPerson: true });
  });
});

describe('simultaneously', () => {
  beforeEach(() => fillPool(service));

  const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));

  it('50 equal first gifts make one person and 50 gifts', async () => {
    const sent = giver();
    const gifts = await together(times(50, () => sent));
    expect(persons(gifts)).toBe(1);
    expect(new Set(gifts.map(({ ContributionId }) => ContributionId)).size).toBe(50);
    expect(gifts.filter(({ NewPerson }) => NewPerson)).toHaveLength(1);
    expect(gifts.filter(({ MultipleMatches }) => MultipleMatches)).toHaveLength(0);
  });

  it('20 first gifts with one name and phone and different e-mails make one person', async () => {
    const sent = giver();
    const gifts = await together(times(20, (i) => ({ ...sent, Email: `${i}.${sent.Email}` })));
    expect(persons(gifts)).toBe(1);
  });

  it('20 first gifts with one name and e-mail and different phones make one person', async () => {
    const sent = giver();
    const gifts = await together(times(20, (i) => ({ ...sent, Phone: i % 2 === 0 ? phone() : 'n/a' })));
    expect(persons(gifts)).toBe(1);
  });

  it('20 first gifts with different spellings of one name make one person', async () => {
    const sent = giver();
    const spellings = ["O'Dell", 'ODELL', 'O\u{2019}Dell', '\u{D3} Dell'];
    const gifts = await together(
      times(20, (i) => ({ ...sent, Last: spellings[i % 4], Email: sent.Email.toUpperCase() })),
    );
    expect(persons(gifts)).toBe(1);
  });

  it('gifts with e-mail and phone crossed between two givers do not block each other', async () => {
    const [one, two] = [giver(), giver()];
    const crossed = [one, two, { ...one, Phone: two.Phone }, { ...two, Phone: one.Phone }];
    const gifts = await together(times(40, (i) => crossed[i % 4] ?? one));
    expect(persons(gifts)).toBe(2);
    expect(gifts.filter(({ NewPerson }) => NewPerson)).toHaveLength(2);
  });

  it('10 couples with one e-mail and phone for both make two persons each', async () => {
    const couples = times(10, () => giver());
    const gifts = await together([...couples, ...couples.map((one) => ({ ...one, First: `Bo${one.First}` }))]);
    expect(persons(gifts)).toBe(20);
  });

  it('gifts and their reversals leave every giver with a total of zero', async () => {
    const gifts = await together(times(10, () => gift(letters())));
    const reversals = await Promise.all(gifts.map(({ ContributionId }) => service.reverse(`${ContributionId}/a`)));
    expect(reversals.map(({ status }) => status)).toEqual(gifts.map(() => 200));
    const ids = gifts.map(({ PeopleId }) => PeopleId);
    const sums =
      'SELECT sum(amount) FROM contribution WHERE person_id = ANY($1) GROUP BY person_id HAVING sum(amount) <> 0';
    expect(await service.database.query(sums, [ids])).toEqual([]);
    expect((await readBack(service, gifts[0]?.ContributionId ?? 0))['status']).toBe('Reversed');
  });
});
