import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PersonRecords } from '../../src/people/person-records.service.js';
import { type Login, ROLES, startTestApp, type TestApp } from '../support/test-app.js';
import { type Added, addedGift } from '../contract/gift-requests.js';

let service: TestApp;
let finance: Login;
let runs = 0;

beforeAll(async () => {
  service = await startTestApp();
  // Only Finance sees persons of whom the caller has no gift.
  finance = await service.createUser('finance', 'correct horse battery', [...ROLES, 'Finance']);
});
afterAll(() => service.stop());

/** Limits each property to a few seconds on any machine. */
const LIMITS = { numRuns: 60, interruptAfterTimeLimit: 7_000 };

/** Folded letters, each with its spellings. ß and s beside s fold to the same text, so they share one key. */
const LETTERS: Readonly<Record<string, readonly string[]>> = {
  a: ['a', 'A', 'á', 'À', 'a\u{301}', 'A\u{30A}', 'ā', 'ａ'],
  d: ['d', 'D', 'đ', 'Đ', 'ð'],
  e: ['e', 'E', 'é', 'E\u{301}', 'ę', 'ễ', 'e\u{302}\u{303}'],
  i: ['i', 'I', 'ı', 'İ', 'í', 'i\u{308}'],
  l: ['l', 'L', 'ł', 'Ł'],
  n: ['n', 'N', 'ñ', 'n\u{303}'],
  o: ['o', 'O', 'ø', 'Ø', 'Ö', 'o\u{308}', 'ő'],
  s: ['s', 'S', 'ş', 's\u{30C}'],
  ss: ['ss', 'SS', 'ß', 'ẞ'],
  ae: ['ae', 'AE', 'æ', 'Æ'],
  th: ['th', 'TH', 'þ', 'Þ'],
  fi: ['fi', 'FI', '\u{FB01}'],
  α: ['α', 'Α', 'ά', 'α\u{301}', 'ἀ'],
  σ: ['σ', 'ς', 'Σ'],
  и: ['и', 'И'],
  й: ['й', 'Й', 'и\u{306}'],
  か: ['か'],
  が: ['が', 'か\u{3099}'],
  王: ['王'],
};
const UNWRITTEN = ['', '', '', ' ', '-', "'", '’', '\u{2BC}', '\u{B4}', '\u{2011}', '\u{2013}', '\u{A0}', '\u{200B}'];

const name = fc.array(fc.constantFrom(...Object.keys(LETTERS)), { minLength: 1, maxLength: 6 });

/** A random spelling of a name. */
function spelled(letters: readonly string[]): fc.Arbitrary<string> {
  const written = letters.map((letter) =>
    fc.tuple(fc.constantFrom(...(LETTERS[letter] ?? [])), fc.constantFrom(...UNWRITTEN)).map((parts) => parts.join('')),
  );
  return fc.tuple(...written).map((parts) => parts.join(''));
}

/** Names whose folded forms differ. */
function differentNames(count: number): fc.Arbitrary<string[][]> {
  return fc.uniqueArray(name, { selector: (letters) => letters.join(''), minLength: count, maxLength: count });
}

const writtenEmail = fc.constantFrom<(address: string) => string>(
  (address) => address,
  (address) => address.toUpperCase(),
  (address) => ` ${address.charAt(0).toUpperCase()}${address.slice(1)} `,
);
const writtenPhone = fc.constantFrom<(digits: string) => string | number>(
  (d) => d,
  (d) => Number(d),
  (d) => `(${d.slice(0, 3)}) ${d.slice(3, 6)}-${d.slice(6)}`,
  (d) => `+1 ${d.slice(0, 3)} ${d.slice(3, 6)} ${d.slice(6)}`,
  (d) => `1.${d.slice(0, 3)}.${d.slice(3, 6)}.${d.slice(6)} ext. 7`,
  (d) => `\u{202A}+1${d}\u{202C}`,
);

/** A unique e-mail address and phone number. */
function contacts(): { email: string; phone: string } {
  runs += 1;
  return { email: `giver.${runs}@example.org`, phone: `615${3_000_000 + runs}` };
}

async function addAll(gifts: readonly object[]): Promise<Added[]> {
  const answers: Added[] = [];
  for (const fields of gifts) answers.push(await addedGift(service, fields));
  return answers;
}

const shuffled = <T>(all: readonly T[]): fc.Arbitrary<T[]> =>
  fc.shuffledSubarray([...all], { minLength: all.length, maxLength: all.length });

describe('the same giver', () => {
  /** A later gift of the giver: with both known contacts, or with a new e-mail or phone. */
  const gift = (first: string[], last: string[]): fc.Arbitrary<(own: ReturnType<typeof contacts>) => object> =>
    fc
      .tuple(spelled(first), spelled(last), writtenEmail, writtenPhone, fc.constantFrom('both', 'email', 'phone'))
      .map(([First, Last, email, phone, known]) => (own) => {
        const other = contacts();
        return {
          First,
          Last,
          Email: known === 'phone' ? other.email : email(own.email),
          Phone: known === 'email' ? other.phone : phone(own.phone),
        };
      });

  it('is one person in any spelling and notation and any order of gifts', async () => {
    const givers = fc
      .tuple(name, name)
      .chain(([first, last]) =>
        fc.tuple(
          fc.tuple(spelled(first), spelled(last), writtenEmail, writtenPhone),
          fc.array(gift(first, last), { minLength: 2, maxLength: 6 }),
        ),
      );
    await fc.assert(
      fc.asyncProperty(givers, async ([[First, Last, email, phone], later]) => {
        const own = contacts();
        const complete = { First, Last, Email: email(own.email), Phone: phone(own.phone) };
        const [created, ...others] = await addAll([complete, ...later.map((make) => make(own))]);
        expect(created).toMatchObject({ NewPerson: true, MultipleMatches: false });
        const same = { PeopleId: created?.PeopleId, NewPerson: false, MultipleMatches: false };
        expect(others).toEqual(others.map(() => expect.objectContaining(same)));
      }),
      LIMITS,
    );
  });
});

describe('two givers whose last names differ', () => {
  it('never share a person, unless one has the other’s name as a former name', async () => {
    const lastNames = differentNames(3);
    const steps = lastNames.chain((names) =>
      fc.array(
        fc.nat({ max: names.length - 1 }).chain((last) =>
          fc.record({
            last: fc.constant(last),
            written: spelled(names[last] ?? []),
            /** If set, no gift is sent: the name becomes the former name of a known person. */
            former: fc.option(fc.nat(), { freq: 2 }),
          }),
        ),
        { minLength: 3, maxLength: 9 },
      ),
    );
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const { email, phone } = contacts();
        const persons: { id: number; lasts: [current: number, former?: number] }[] = [];
        for (const { last, written, former } of all) {
          const person = persons[(former ?? 0) % persons.length];
          if (former !== null && person !== undefined) {
            await service.app.get(PersonRecords).edit({ peopleId: person.id, formerLast: written });
            person.lasts = [person.lasts[0], last];
            continue;
          }
          const known = persons.filter(({ lasts }) => lasts.includes(last));
          const answer = await addedGift(service, { First: 'Ann', Last: written, Email: email, Phone: phone });
          expect(answer).toMatchObject({ NewPerson: known.length === 0, MultipleMatches: known.length > 1 });
          if (known[0] !== undefined) expect(answer.PeopleId).toBe(known[0].id);
          else {
            expect(persons.map(({ id }) => id)).not.toContain(answer.PeopleId);
            persons.push({ id: answer.PeopleId, lasts: [last] });
          }
        }
      }),
      LIMITS,
    );
  });
});

describe('the order in which persons are created', () => {
  /** A family: each member has one of two e-mail addresses and one of two phones. */
  const household = fc.tuple(differentNames(4), differentNames(2)).chain(([firsts, lasts]) => {
    const member = fc.record({
      first: fc.nat({ max: firsts.length - 1 }),
      last: fc.nat({ max: lasts.length - 1 }),
      email: fc.nat({ max: 1 }),
      phone: fc.nat({ max: 1 }),
    });
    const members = fc.uniqueArray(member, {
      selector: ({ first, last }) => `${first} ${last}`,
      minLength: 2,
      maxLength: 5,
    });
    return members
      .chain((all) =>
        fc.array(
          fc.nat({ max: all.length - 1 }).chain((who) => {
            const { first, last, email, phone } = all[who] ?? { first: 0, last: 0, email: 0, phone: 0 };
            return fc.record({
              who: fc.constant(who),
              email: fc.constant(email),
              phone: fc.constant(phone),
              First: spelled(firsts[first] ?? []),
              Last: spelled(lasts[last] ?? []),
            });
          }),
          { minLength: 3, maxLength: 8 },
        ),
      )
      .chain((gifts) => fc.tuple(fc.constant(gifts), shuffled(gifts)));
  });

  it('does not change whose gifts they are in a household that shares e-mails and phones', async () => {
    await fc.assert(
      fc.asyncProperty(household, async (orders) => {
        for (const gifts of orders) {
          const pool = [contacts(), contacts()];
          const answers = await addAll(
            gifts.map(({ First, Last, email, phone }) => ({
              First,
              Last,
              Email: pool[email]?.email,
              Phone: pool[phone]?.phone,
            })),
          );
          const persons = gifts.map(({ who }, i) => `${who}: ${answers[i]?.PeopleId}`);
          const members = new Set(gifts.map(({ who }) => who)).size;
          expect(new Set(persons).size).toBe(members);
          expect(new Set(answers.map(({ PeopleId }) => PeopleId)).size).toBe(members);
          expect(answers.filter(({ NewPerson }) => NewPerson)).toHaveLength(members);
          expect(answers.filter(({ MultipleMatches }) => MultipleMatches)).toEqual([]);
        }
      }),
      LIMITS,
    );
  });

  /** First names, each with its short and long forms. */
  const FIRST_NAMES: Readonly<Record<string, readonly string[]>> = {
    Thomas: ['Tom'],
    Tom: ['Thomas'],
    Alexander: ['Alex'],
    Alexandra: ['Alex'],
    Alex: ['Alexander', 'Alexandra'],
  };
  const firstName = fc.constantFrom(...Object.keys(FIRST_NAMES));
  const lastName = fc.constantFrom('Lee', 'Ray');
  const some = fc.subarray([0, 1]);
  const known = fc.record({
    firsts: fc.tuple(firstName, fc.option(firstName)),
    lasts: fc.tuple(lastName, fc.option(lastName)),
    emails: some,
    phones: some,
  });
  const asked = fc.record({
    First: firstName,
    Last: lastName,
    email: fc.nat({ max: 1 }),
    phone: fc.nat({ max: 1 }),
  });

  /** The fields that match, if they are enough by the contract. Better matches have a lower class. */
  function agreement(
    gift: typeof asked extends fc.Arbitrary<infer T> ? T : never,
    person: typeof known extends fc.Arbitrary<infer T> ? T : never,
  ): { class: number; on: string[] } | undefined {
    const email = person.emails.includes(gift.email);
    const phone = person.phones.includes(gift.phone);
    const exact = person.firsts.includes(gift.First);
    const short = person.firsts.some((first) => FIRST_NAMES[gift.First]?.includes(first ?? ''));
    if (!person.lasts.includes(gift.Last) || !(exact || short)) return undefined;
    const on = [
      'lastName',
      exact ? 'firstName' : 'shortForm',
      ...(email ? ['email'] : []),
      ...(phone ? ['phone'] : []),
    ];
    if (email && phone) return { class: exact ? 1 : 2, on };
    return exact && (email || phone) ? { class: 3, on } : undefined;
  }

  const communities = fc
    .array(known, { minLength: 2, maxLength: 5 })
    .chain((persons) =>
      fc.tuple(fc.constant(persons), shuffled(persons), fc.array(asked, { minLength: 2, maxLength: 5 })),
    );

  it('decides only between equally good matches, by the lowest PeopleId', async () => {
    await fc.assert(
      fc.asyncProperty(communities, async ([persons, otherOrder, gifts]) => {
        for (const order of [persons, otherOrder]) {
          const pool = [contacts(), contacts()];
          const ids: number[] = [];
          for (const { firsts, lasts, emails, phones } of order) {
            const [row] = await service.database.query<{ id: number }>(INSERT_PERSON, [
              ...firsts,
              ...lasts,
              emails.map((i) => pool[i]?.email),
              phones.map((i) => `+1${pool[i]?.phone}`),
            ]);
            ids.push(row?.id ?? 0);
          }
          for (const gift of gifts) {
            const { First, Last, email, phone } = gift;
            const matches = order
              .map((person, i) => ({ id: ids[i] ?? 0, ...(agreement(gift, person) ?? { class: 0, on: [] }) }))
              .filter((match) => match.class > 0)
              .sort((a, b) => a.class - b.class || a.id - b.id);
            const fields = { First, Last, Email: pool[email]?.email, Phone: pool[phone]?.phone, Amount: '1' };
            const answer = await service
              .http()
              .post('/Api/AddContribution?dryRun=true')
              .auth(...finance)
              .send(fields);
            expect([answer.status, answer.body as unknown]).toEqual([
              200,
              {
                wouldCreate: matches.length === 0,
                peopleId: matches[0]?.id ?? null,
                matchedOn: matches[0]?.on ?? [],
                candidates: matches.map(({ id }) => id),
              },
            ]);
          }
        }
      }),
      LIMITS,
    );
  });
});

/** Inserts a person with any number of confirmed contacts. */
const INSERT_PERSON = `
  WITH added AS (
    INSERT INTO person (first_name, nickname, last_name, former_last_name, email, phone,
      first_name_folded, nickname_folded, last_name_folded, former_last_name_folded)
    VALUES ($1::text, $2::text, $3::text, $4::text, 'none', 'none', lower($1), lower($2), lower($3), lower($4))
    RETURNING id
  ), contacts AS (
    INSERT INTO contact (person_id, kind, value, folded, confirmed)
    SELECT id, kind, value, value, true
    FROM added, LATERAL (
      SELECT 'email', unnest($5::text[]) UNION ALL SELECT 'phone', unnest($6::text[])
    ) AS c (kind, value)
  )
  SELECT id FROM added`;
