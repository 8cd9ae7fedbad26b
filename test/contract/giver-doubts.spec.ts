import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Contacts } from '../../src/people/contacts/contacts.service.js';
import { PersonRecords } from '../../src/people/person-records.service.js';
import { type Login, startTestApp, type TestApp } from '../support/test-app.js';
import { type Added, addedGift, fillPool } from './gift-requests.js';
import { type Details, email, giver, letters, phone } from './givers.js';
import { listedReasons, openReview } from '../finance/review-requests.js';
import { mergePersons } from '../support/merge-persons.js';

let service: TestApp;
let finance: Login;

beforeAll(async () => {
  service = await startTestApp();
  finance = await service.createUser('treasurer', 'correct horse battery', ['Finance']);
});
afterAll(() => service.stop());

const added = (fields: object): Promise<Added> => addedGift(service, fields);

/** Sends a gift that must not be listed for review. */
async function unlisted(fields: object): Promise<Added> {
  const gift = await added(fields);
  expect(await listedReasons(service, gift.ContributionId)).toEqual([]);
  return gift;
}

/** Sends a gift that must be listed for review with these reasons and other persons. */
async function listed(fields: object, reasons: string[], otherPersons: number[]): Promise<Added> {
  const gift = await added(fields);
  expect(await openReview(service, finance, gift.ContributionId)).toMatchObject({ reasons, otherPersons });
  return gift;
}

/** Sends the first gift of a new person. Returns its details and the PeopleId. */
async function newPerson(fields: Partial<Details> = {}): Promise<[Details, number]> {
  const sent = giver(fields);
  const gift = await unlisted(sent);
  expect(gift.NewPerson).toBe(true);
  return [sent, gift.PeopleId];
}

let amount = 100;
/** A gift whose amount is unique, so that it is no possible duplicate. */
const gift = (sent: Details, fields: object = {}): object => ({ ...sent, Amount: `${++amount}`, ...fields });

describe('an ordinary gift is not listed:', () => {
  it('of a known giver in any usual spelling', async () => {
    const [sent] = await newPerson();
    for (const spelling of [
      {},
      { First: sent.First.toUpperCase(), Email: sent.Email.toUpperCase() },
      { Phone: `+1 (${sent.Phone.slice(0, 3)}) ${sent.Phone.slice(3, 6)}-${sent.Phone.slice(6)}` },
      { Phone: 'n/a' },
    ]) {
      expect(await unlisted(gift(sent, spelling))).toMatchObject({ NewPerson: false });
    }
  });

  it('of a new giver, also one who shares only the last name, the first name or a contact with somebody', async () => {
    const [sent] = await newPerson();
    await unlisted(giver({ Last: sent.Last }));
    await unlisted(giver({ First: sent.First }));
    await unlisted(giver({ Email: sent.Email }));
    // A namesake: both contacts are usable and differ.
    await unlisted({ ...sent, Email: email(), Phone: phone() });
  });

  it('of a couple with one e-mail address and two phone numbers', async () => {
    const [ann] = await newPerson();
    const bob = giver({ Email: ann.Email });
    await unlisted(bob);
    await unlisted(gift(ann));
    await unlisted(gift(bob));
  });
});

describe('changed_last_name: a person has the first name, e-mail and phone, but another last name', () => {
  it.each<[string, (sent: Details) => Partial<Details>]>([
    ['another last name', () => ({ Last: `Other${letters()}` })],
    ['a double name', ({ Last }) => ({ Last: `${Last}-Jones` })],
    ['another last name, in capitals', (sent) => ({ First: sent.First.toUpperCase(), Last: `Other${letters()}` })],
    ['another last name, without a phone', () => ({ Last: `Other${letters()}`, Phone: 'n/a' })],
  ])('%s', async (_which, change) => {
    const [sent, id] = await newPerson();
    const changed = { ...sent, ...change(sent) };
    const { NewPerson, ContributionId } = await listed(changed, ['changed_last_name'], [id]);
    expect(NewPerson).toBe(true);
    await unlisted(gift(changed));
    await service.reverse(`${ContributionId}/tests`).expect(200);
  });

  it('a short form of the first name', async () => {
    const [sent, id] = await newPerson({ First: 'Thomas' });
    await listed({ ...sent, First: 'Tom', Last: `Other${letters()}` }, ['changed_last_name'], [id]);
  });

  it.each<[string, (sent: Details) => Partial<Details>]>([
    ['another first name as well', () => ({ First: 'Bea', Last: `Other${letters()}` })],
    ['another phone as well', () => ({ Last: `Other${letters()}`, Phone: phone() })],
    ['another e-mail as well', () => ({ Last: `Other${letters()}`, Email: email() })],
  ])('not with %s', async (_which, change) => {
    const [sent] = await newPerson();
    await unlisted({ ...sent, ...change(sent) });
  });
});

describe('other_contact: the gift matched by one contact, and the person does not have the other one', () => {
  it.each<[string, () => Partial<Details>, string]>([
    ['phone', () => ({ Phone: phone() }), 'Phone'],
    ['e-mail', () => ({ Email: email() }), 'Email'],
  ])('a new %s, listed once because it is then known', async (_which, change) => {
    const [sent, id] = await newPerson();
    const moved = { ...sent, ...change() };
    const { PeopleId } = await listed(gift(moved), ['other_contact'], []);
    expect(PeopleId).toBe(id);
    await unlisted(gift(moved));
    await unlisted(gift(sent));
    const contacts = service.app.get(Contacts, { strict: false });
    const [unconfirmed] = (await contacts.list(id)).filter(({ confirmed }) => !confirmed);
    await contacts.confirm(unconfirmed?.id ?? 0);
    await unlisted(gift(moved));
  });

  it('names the person who has that contact', async () => {
    const [one, id] = await newPerson();
    const [two, other] = await newPerson();
    const { PeopleId } = await listed(gift(one, { Phone: two.Phone }), ['other_contact'], [other]);
    expect(PeopleId).toBe(id);
  });

  it('not for an unusable contact, or if the person had no contact of that kind', async () => {
    const sent = giver({ Phone: 'n/a' });
    await unlisted(sent);
    await unlisted(gift(sent, { Phone: phone() }));
    await unlisted(gift(sent, { Phone: 'none' }));
  });

  it('once for two simultaneous gifts', async () => {
    await fillPool(service);
    const [sent] = await newPerson();
    const moved = { ...sent, Phone: phone() };
    const answers = await Promise.all([service.add(gift(moved)), service.add(gift(moved))]);
    const reasons = [];
    for (const { body } of answers) reasons.push(...(await listedReasons(service, (body as Added).ContributionId)));
    expect(reasons).toEqual(['other_contact']);
  });
});

describe('known_name: a person is created although the name is known, and one of the two has no usable contact', () => {
  it.each<[string, (sent: Details) => Partial<Details>]>([
    ['another e-mail, and no phone', () => ({ Email: email(), Phone: 'n/a' })],
    ['another phone, and a placeholder for an e-mail', () => ({ Email: `none@${letters()}.example`, Phone: phone() })],
    ['another spelling of the name', (sent) => ({ Last: ` ${sent.Last.toUpperCase()} `, Email: email(), Phone: '0' })],
  ])('%s', async (_which, change) => {
    const [sent, id] = await newPerson();
    const reasons = (change(sent).Email ?? '').startsWith('none') ? ['known_name', 'shared_contact'] : ['known_name'];
    const { NewPerson } = await listed({ ...sent, ...change(sent) }, reasons, [id]);
    expect(NewPerson).toBe(true);
  });

  it('names a person without a usable contact, whatever contacts the gift has', async () => {
    const sent = giver({ Email: `em..x@${letters()}.example`, Phone: 'n/a' });
    const { PeopleId } = await unlisted(sent);
    const { NewPerson } = await listed({ ...sent, Email: email(), Phone: phone() }, ['known_name'], [PeopleId]);
    expect(NewPerson).toBe(true);
    // Another first name is not listed.
    await unlisted({ ...sent, First: letters(), Email: email(), Phone: phone() });
  });

  it('compares nicknames, former last names and names of merged persons, and names the survivor', async () => {
    const persons = service.app.get(PersonRecords, { strict: false });
    const [sent, id] = await newPerson();
    await persons.edit({ peopleId: id, nickname: 'Skip', formerLast: `Old${sent.Last}` });
    const bare = (): Partial<Details> => ({ Email: email(), Phone: 'n/a' });
    await listed({ ...sent, First: 'Skip', ...bare() }, ['known_name'], [id]);
    await listed({ ...sent, Last: `Old${sent.Last}`, ...bare() }, ['known_name'], [id]);
    const [one, from] = await newPerson();
    const [, into] = await newPerson();
    await mergePersons(service, { from, into });
    await listed({ ...one, ...bare() }, ['known_name'], [into]);
  });

  it('uses the survivor’s contacts for a merged person, also after several merges', async () => {
    const [first, firstId] = await newPerson();
    const [, secondId] = await newPerson();
    const [, thirdId] = await newPerson();
    await mergePersons(service, { from: firstId, into: secondId });
    await unlisted({ ...first, Email: email(), Phone: phone() });
    await mergePersons(service, { from: secondId, into: thirdId });
    await unlisted({ ...first, Email: email(), Phone: phone() });
  });

  it('lists the second of two simultaneous first gifts', async () => {
    await fillPool(service);
    for (let i = 0; i < 5; i++) {
      const sent = giver({ Phone: 'n/a' });
      const answers = await Promise.all([service.add(sent), service.add({ ...sent, Email: email() })]);
      const reasons = [];
      for (const { body } of answers) reasons.push(...(await listedReasons(service, (body as Added).ContributionId)));
      expect(reasons).toEqual(['known_name']);
    }
  });

  it('names at most ten persons', async () => {
    const sent = giver();
    for (let i = 0; i < 12; i++) await added({ ...sent, Email: email(), Phone: phone() });
    const { ContributionId } = await added({ ...sent, Email: email(), Phone: 'n/a' });
    expect((await openReview(service, finance, ContributionId)).otherPersons).toHaveLength(10);
  });
});

describe('shared_contact: a person is created or matched by a contact that many may share', () => {
  it.each(['noreply', 'no-reply', 'No_Reply', 'donotreply', 'do-not-reply+77', 'noreply-giving'])(
    '%s@',
    async (local) => {
      const Email = `${local}@${letters()}.example`;
      const one = giver({ Email, Phone: 'n/a' });
      const first = await listed(one, ['shared_contact'], []);
      const two = giver({ Email });
      await listed(two, ['shared_contact'], [first.PeopleId]);
      // The first is already listed. The second matches by the phone as well.
      for (const each of [one, one, two]) await unlisted(gift(each));
      expect((await added(gift(one))).PeopleId).toBe(first.PeopleId);
    },
  );

  it('the e-mail address of an office, after five persons have it', async () => {
    const Email = email();
    const givers = Array.from({ length: 6 }, () => giver({ Email, Phone: 'n/a' }));
    const ids: number[] = [];
    for (const one of givers.slice(0, 5)) ids.push((await unlisted(one)).PeopleId);
    const last = givers[5] ?? giver();
    await listed(last, ['shared_contact'], ids);
    const [one = giver()] = givers;
    const { PeopleId, ContributionId } = await added(gift(one));
    expect(PeopleId).toBe(ids[0]);
    const review = await openReview(service, finance, ContributionId);
    expect(review.reasons).toEqual(['shared_contact']);
    expect(review.otherPersons.length).toBeGreaterThanOrEqual(4);
    expect(review.otherPersons).not.toContain(PeopleId);
    // Only once: otherwise every gift of a regular giver would be listed.
    await unlisted(gift(one));
  });

  it('a phone number after five persons have it, but not the number of a household of four', async () => {
    const Phone = phone();
    const household = Array.from({ length: 4 }, () => giver({ Phone }));
    for (const one of household) await unlisted(one);
    for (const one of household) await unlisted(gift(one));
    await unlisted(giver({ Phone }));
    const { NewPerson, ContributionId } = await added(giver({ Phone }));
    expect(NewPerson).toBe(true);
    expect(await listedReasons(service, ContributionId)).toEqual(['shared_contact']);
  });
});

describe('similar_spelling: a person is created although a known person has a similar spelling', () => {
  const both = (one: Partial<Details>, two: Partial<Details>): [Partial<Details>, Partial<Details>][] => [
    [one, two],
    [two, one],
  ];
  const names: [string, string][] = [
    ['Müller', 'Mueller'],
    ['Muller', 'Mueller'],
    ['Jørgensen', 'Joergensen'],
    ['Åberg', 'Aaberg'],
    ['Größe', 'Groesse'],
    ['Mühlhäuser', 'Muehlhaeuser'],
    ['Mühlhäuser', 'Muehlhauser'],
  ];
  it.each(names.flatMap(([one, two]) => both({ Last: one }, { Last: two })))('%j and %j', async (one, two) => {
    const unique = letters();
    const sent = giver({ Last: `${one.Last}${unique}` });
    const { PeopleId } = await unlisted(sent);
    const { NewPerson } = await listed({ ...sent, Last: `${two.Last}${unique}` }, ['similar_spelling'], [PeopleId]);
    expect(NewPerson).toBe(true);
    // Another first name is also similar_person: the last name and the e-mail are known.
    await listed(
      { ...sent, Last: `${two.Last}${unique}`, Phone: phone(), First: 'Bea' },
      ['similar_person', 'similar_spelling'],
      [PeopleId, PeopleId + 1],
    );
  });

  it.each(
    both({ Email: 'ann@münchen.example' }, { Email: 'ann@xn--mnchen-3ya.example' }).concat(
      both({ Email: 'ann@MÜNCHEN.example' }, { Email: 'Ann@XN--mnchen-3ya.EXAMPLE' }),
    ),
  )('%j and %j', async (one, two) => {
    const unique = letters();
    const address = ({ Email = '' }: Partial<Details>): string => `${unique}${Email}`;
    const sent = giver({ Email: address(one), Phone: 'n/a' });
    const { PeopleId } = await unlisted(sent);
    await listed({ ...sent, Email: address(two) }, ['similar_spelling'], [PeopleId]);
  });

  const numbers: [string, string][] = [
    ['+52 1 55 1234 ', '+52 55 1234 '],
    ['+52 (1) 55-1234-', '011 52 55 1234 '],
    ['0052 1 55 1234 ', '+52 55 1234 '],
    ['011 52 1 55 1234 ', '+52 55 1234 '],
    ['+54 9 11 2345-', '+54 11 2345-'],
  ];
  let line = 1000;
  it.each(numbers.flatMap(([one, two]) => both({ Phone: one }, { Phone: two })))('%j and %j', async (one, two) => {
    line += 1;
    const sent = giver({ Phone: `${one.Phone}${line}` });
    const { PeopleId } = await unlisted(sent);
    const { NewPerson } = await listed(
      { ...sent, Email: email(), Phone: `${two.Phone}${line}` },
      ['similar_spelling'],
      [PeopleId],
    );
    expect(NewPerson).toBe(true);
  });

  it('not if only the names are similar', async () => {
    const unique = letters();
    const sent = giver({ Last: `Müller${unique}` });
    await unlisted(sent);
    await unlisted(giver({ First: sent.First, Last: `Mueller${unique}` }));
  });

  it('lists the second of two simultaneous first gifts', async () => {
    await fillPool(service);
    for (let i = 0; i < 5; i++) {
      const unique = letters();
      const sent = giver({ Email: `${unique}@münchen.example`, Phone: 'n/a' });
      const answers = await Promise.all([
        service.add(sent),
        service.add({ ...sent, Email: `${unique}@xn--mnchen-3ya.example` }),
      ]);
      const reasons = [];
      for (const { body } of answers) reasons.push(...(await listedReasons(service, (body as Added).ContributionId)));
      expect(reasons).toEqual(['similar_spelling']);
    }
  });
});
