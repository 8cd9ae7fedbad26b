import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Contacts } from '../../src/people/contacts/contacts.service.js';
import { PersonRecords } from '../../src/people/person-records.service.js';
import { type Login, startTestApp, type TestApp } from '../support/test-app.js';
import { type Added, addedGift, fillPool } from './gift-requests.js';
import { type Details, email, giver, letters, phone } from './givers.js';
import { listedReasons, openReview } from './review-requests.js';
import { mergePersons } from '../support/merge-persons.js';

let service: TestApp;
let finance: Login;

beforeAll(async () => {
  service = await startTestApp();
  finance = await service.createUser('treasurer', 'correct horse battery', ['Finance']);
});
afterAll(() => service.stop());

const added = (fields: object): Promise<Added> => addedGift(service, fields);

/** Sends a gift that must not be listed. */
async function unlisted(fields: object): Promise<Added> {
  const gift = await added(fields);
  expect(await listedReasons(service, gift.ContributionId)).toEqual([]);
  return gift;
}

/** Sends a gift that must be listed for these reasons, with these other persons. */
async function listed(fields: object, reasons: string[], otherPersons: number[]): Promise<Added> {
  const gift = await added(fields);
  expect(await openReview(service, finance, gift.ContributionId)).toMatchObject({ reasons, otherPersons });
  return gift;
}

/** Somebody who gives for the first time; what was sent, and the PeopleId. */
async function newPerson(fields: Partial<Details> = {}): Promise<[Details, number]> {
  const sent = giver(fields);
  const gift = await unlisted(sent);
  expect(gift.NewPerson).toBe(true);
  return [sent, gift.PeopleId];
}

let amount = 100;
/** No two gifts of these tests are equal. */
const gift = (sent: Details, fields: object = {}): object => ({ ...sent, Amount: `${++amount}`, ...fields });

describe('an ordinary gift is not listed:', () => {
  it('of a known giver, in any usual spelling, again and again', async () => {
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

  it('of a first giver, and of one who has only the last name, a first name or a contact in common with somebody', async () => {
    const [sent] = await newPerson();
    await unlisted(giver({ Last: sent.Last }));
    await unlisted(giver({ First: sent.First }));
    await unlisted(giver({ Email: sent.Email }));
    // Two usable contacts, and both are others: a namesake.
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

describe('changed_last_name: somebody has the first name, the e-mail and the phone under another last name', () => {
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

describe('other_contact: the gift matched by one contact, and the other one is none of the person’s', () => {
  it.each<[string, () => Partial<Details>, string]>([
    ['phone', () => ({ Phone: phone() }), 'Phone'],
    ['e-mail', () => ({ Email: email() }), 'Email'],
  ])('%s; once, since it is known from then on', async (_which, change) => {
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

  it('not for a person who had no contact of that kind, or for an unusable one', async () => {
    const sent = giver({ Phone: 'n/a' });
    await unlisted(sent);
    await unlisted(gift(sent, { Phone: phone() }));
    await unlisted(gift(sent, { Phone: 'none' }));
  });

  it('once, of two gifts at the very same moment', async () => {
    await fillPool(service);
    const [sent] = await newPerson();
    const moved = { ...sent, Phone: phone() };
    const answers = await Promise.all([service.add(gift(moved)), service.add(gift(moved))]);
    const reasons = [];
    for (const { body } of answers) reasons.push(...(await listedReasons(service, (body as Added).ContributionId)));
    expect(reasons).toEqual(['other_contact']);
  });
});

describe('known_name: a person is created although somebody has the name, and one of the two has no usable contact', () => {
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

  it('a person without a usable contact is named, whatever the gift brings', async () => {
    const sent = giver({ Email: `em..x@${letters()}.example`, Phone: 'n/a' });
    const { PeopleId } = await unlisted(sent);
    const { NewPerson } = await listed({ ...sent, Email: email(), Phone: phone() }, ['known_name'], [PeopleId]);
    expect(NewPerson).toBe(true);
    // One with a contact would have matched.
    await unlisted({ ...sent, First: letters(), Email: email(), Phone: phone() });
  });

  it('the nickname and the former last name count, and so do names of a merged person, shown as the survivor', async () => {
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

  it('a merged person has the contacts of the survivor, after several merges too', async () => {
    const [first, firstId] = await newPerson();
    const [, secondId] = await newPerson();
    const [, thirdId] = await newPerson();
    await mergePersons(service, { from: firstId, into: secondId });
    await unlisted({ ...first, Email: email(), Phone: phone() });
    await mergePersons(service, { from: secondId, into: thirdId });
    await unlisted({ ...first, Email: email(), Phone: phone() });
  });

  it('the second of two who come at the very same moment is listed', async () => {
    await fillPool(service);
    for (let i = 0; i < 5; i++) {
      const sent = giver({ Phone: 'n/a' });
      const answers = await Promise.all([service.add(sent), service.add({ ...sent, Email: email() })]);
      const reasons = [];
      for (const { body } of answers) reasons.push(...(await listedReasons(service, (body as Added).ContributionId)));
      expect(reasons).toEqual(['known_name']);
    }
  });

  it('names ten of many', async () => {
    const sent = giver();
    for (let i = 0; i < 12; i++) await added({ ...sent, Email: email(), Phone: phone() });
    const { ContributionId } = await added({ ...sent, Email: email(), Phone: 'n/a' });
    expect((await openReview(service, finance, ContributionId)).otherPersons).toHaveLength(10);
  });
});

describe('shared_contact: a person is created or matched by an address that says little about who gave', () => {
  it.each(['noreply', 'no-reply', 'No_Reply', 'donotreply', 'do-not-reply+77', 'noreply-giving'])(
    '%s@',
    async (local) => {
      const Email = `${local}@${letters()}.example`;
      const one = giver({ Email, Phone: 'n/a' });
      const first = await listed(one, ['shared_contact'], []);
      const two = giver({ Email });
      await listed(two, ['shared_contact'], [first.PeopleId]);
      // Nothing but the name leads to the one, which is listed already; the phone leads to the other.
      for (const each of [one, one, two]) await unlisted(gift(each));
      expect((await added(gift(one))).PeopleId).toBe(first.PeopleId);
    },
  );

  it('an office’s e-mail address, from the fifth person on who has it', async () => {
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
    // Said once: a regular giver would be listed with each gift.
    await unlisted(gift(one));
  });

  it('a phone number, likewise; one of a household of four is an ordinary one', async () => {
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

describe('similar_spelling: a person is created although somebody is spelled nearly alike', () => {
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
    // A first name in two spellings is somebody with the last name and the contact anyway.
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

  it('not where only the names are alike', async () => {
    const unique = letters();
    const sent = giver({ Last: `Müller${unique}` });
    await unlisted(sent);
    await unlisted(giver({ First: sent.First, Last: `Mueller${unique}` }));
  });

  it('the second of two who come at the very same moment is listed', async () => {
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
