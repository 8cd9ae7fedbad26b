import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Contacts } from '../../src/people/contacts/contacts.service.js';
import type { ContactView } from '../../src/people/person-view.js';
import { PersonRecords } from '../../src/people/person-records.service.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { type Added, addedGift, recordedGift } from '../contract/gift-requests.js';
import { type Details, email, giver, letters, phone } from '../contract/givers.js';
import { mergePersons } from '../support/merge-persons.js';

let service: TestApp;
let contacts: Contacts;
let persons: PersonRecords;

beforeAll(async () => {
  service = await startTestApp();
  contacts = service.app.get(Contacts, { strict: false });
  persons = service.app.get(PersonRecords, { strict: false });
});
afterAll(() => service.stop());

const added = (fields: object): Promise<Added> => addedGift(service, fields);

/** Adds the first gift of a new person. Returns the details of the gift and the PeopleId. */
async function newPerson(fields: Partial<Details> = {}): Promise<[Details, number]> {
  const sent = giver(fields);
  const { PeopleId, NewPerson } = await added(sent);
  expect(NewPerson).toBe(true);
  return [sent, PeopleId];
}

const valuesOf = async (peopleId: number): Promise<unknown[]> =>
  (await contacts.list(peopleId)).map(({ kind, value, confirmed }) => [kind, value, confirmed]);

async function contactOf(peopleId: number, value: string): Promise<ContactView> {
  const contact = (await contacts.list(peopleId)).find((candidate) => candidate.value === value);
  if (contact === undefined) throw new Error(`Person ${peopleId} has no contact ${value}`);
  return contact;
}

const rowOf = (peopleId: number): Promise<unknown> =>
  service.database.query('SELECT * FROM person WHERE id = $1', [peopleId]);

describe('the contacts of a person', () => {
  it('are initially those of the first gift, confirmed', async () => {
    const [sent, id] = await newPerson();
    expect(await valuesOf(id)).toEqual([
      ['email', sent.Email, true],
      ['phone', sent.Phone, true],
    ]);
  });

  it.each(['n/a', '0', '911', '+1 901 555 0101 or 0102'])('do not include an unusable phone: %j', async (Phone) => {
    const [sent, id] = await newPerson({ Phone });
    expect(await valuesOf(id)).toEqual([['email', sent.Email, true]]);
    expect((await persons.show(id)).phone).toBe(Phone);
    expect(await added({ ...sent, Email: email() })).toMatchObject({ NewPerson: true });
    await added({ ...sent, Phone: 'none' });
    expect(await valuesOf(id)).toEqual([['email', sent.Email, true]]);
  });

  it.each<['Email' | 'Phone', () => string]>([
    ['Email', email],
    ['Phone', phone],
  ])(
    'include the new %s of a matched gift as unconfirmed, and it matches only after confirmation',
    async (field, make) => {
      const [sent, id] = await newPerson();
      const before = await rowOf(id);
      const [other, value] = [field === 'Email' ? 'Phone' : 'Email', make()];
      const later = { ...sent, First: sent.First.toUpperCase(), [field]: value };
      expect(await added(later)).toMatchObject({ PeopleId: id, NewPerson: false });
      expect(await rowOf(id)).toEqual(before);
      const waiting = await contactOf(id, value);
      expect(waiting).toMatchObject({ peopleId: id, kind: field.toLowerCase(), confirmed: false });
      expect((await persons.show(id)).contacts).toContainEqual(waiting);
      expect(await contacts.list()).toContainEqual(waiting);

      const elsewhere = { ...sent, [field]: value, [other]: other === 'Email' ? email() : phone() };
      const stranger = await added({ ...elsewhere, Last: `${sent.Last}x` });
      expect(stranger.PeopleId).not.toBe(id);
      const dry = await service
        .http()
        .post('/Api/AddContribution?dryRun=true')
        .auth(...service.login)
        .send({
          ...elsewhere,
          Amount: 1,
        });
      expect(dry.body).toMatchObject({ wouldCreate: true, candidates: [] });

      await contacts.confirm(waiting.id);
      expect(await added(elsewhere)).toMatchObject({ PeopleId: id, NewPerson: false, MultipleMatches: false });
      expect(await rowOf(id)).toEqual(before);
      expect(await contacts.list()).not.toContainEqual(expect.objectContaining({ id: waiting.id }));
    },
  );

  it('are unlimited in number, and each confirmed one matches', async () => {
    const [sent, id] = await newPerson();
    const emails = Array.from({ length: 5 }, email);
    const phones = Array.from({ length: 5 }, phone);
    for (const Email of emails) await added({ ...sent, Email });
    for (const Phone of phones) await added({ ...sent, Phone });
    for (const value of [...emails, ...phones]) await contacts.confirm((await contactOf(id, value)).id);
    expect(await contacts.list(id)).toHaveLength(12);
    for (const Email of emails) expect(await added({ ...sent, Email, Phone: 'n/a' })).toMatchObject({ PeopleId: id });
    for (const Phone of phones) {
      const view = await recordedGift(service, { ...sent, Email: sent.Email.replace('@', '@other.'), Phone });
      expect(view).toMatchObject({ peopleId: id, match: { by: 'match', on: ['lastName', 'firstName', 'phone'] } });
    }
  });

  it('include a new contact once, however it is spelled and however often it is sent', async () => {
    const [sent, id] = await newPerson();
    const [Email, Phone] = [email(), phone()];
    await Promise.all(
      [Email, Email.toUpperCase(), Email].map((spelling) => service.add({ ...sent, Email: spelling }).expect(200)),
    );
    for (const spelling of [Phone, `+1 ${Phone}`, `(${Phone.slice(0, 3)}) ${Phone.slice(3)} ext. 7`]) {
      await added({ ...sent, Phone: spelling });
    }
    expect(await contacts.list(id)).toHaveLength(4);
  });

  it('are not changed by a gift with a PeopleId', async () => {
    const [, id] = await newPerson();
    const before = await contacts.list(id);
    await added({ ...giver(), PeopleId: id });
    expect(await contacts.list(id)).toEqual(before);
  });

  it('no longer match after their removal', async () => {
    const [sent, id] = await newPerson();
    await contacts.remove((await contactOf(id, sent.Phone)).id);
    expect(await valuesOf(id)).toEqual([['email', sent.Email, true]]);
    const other = await added({ ...sent, Email: email() });
    expect(other.NewPerson).toBe(true);
    expect(await added({ ...sent, Phone: phone() })).toMatchObject({ PeopleId: id });
    await contacts.remove((await contactOf(id, sent.Email)).id);
    expect(await added(sent)).toMatchObject({ PeopleId: other.PeopleId });
  });

  it('include a removed contact as unconfirmed when a gift sends it again', async () => {
    const [sent, id] = await newPerson();
    await contacts.remove((await contactOf(id, sent.Phone)).id);
    await added(sent);
    expect(await contactOf(id, sent.Phone)).toMatchObject({ confirmed: false });
  });

  it.each(['confirm', 'remove'] as const)('report an error for the attempt to %s an unknown contact', async (what) => {
    await expect(contacts[what](2_147_483_647)).rejects.toThrow('There is no contact 2147483647');
  });

  it('of two merged persons become one list without duplicates, confirmed if either was', async () => {
    const [one, into] = await newPerson();
    const [two, from] = await newPerson({ Last: one.Last });
    const [shared, Email] = [phone(), email()];
    await added({ ...one, Phone: shared });
    await added({ ...two, Phone: shared });
    await added({ ...two, Email });
    await contacts.confirm((await contactOf(from, shared)).id);
    await mergePersons(service, { from, into });
    expect(await contacts.list(from)).toEqual([]);
    expect(new Set(await valuesOf(into))).toEqual(
      new Set([
        ['email', one.Email, true],
        ['phone', one.Phone, true],
        ['phone', shared, true],
        ['email', two.Email, true],
        ['phone', two.Phone, true],
        ['email', Email, false],
      ]),
    );
    expect(await added({ ...one, Email: two.Email, Phone: 'n/a' })).toMatchObject({ PeopleId: into });
    expect(await added({ ...two, Email: one.Email, Phone: 'n/a' })).toMatchObject({ PeopleId: into });
  });
});

describe('the names of a person', () => {
  it.each<[string, (sent: Details) => Partial<Details>]>([
    ['the nickname', () => ({ First: 'Skip' })],
    ['the former last name', (sent) => ({ Last: `O’Former ${sent.Last}` })],
    ['both', (sent) => ({ First: 'SKÍP', Last: `oformer${sent.Last}` })],
  ])('%s matches like the current name, together with the e-mail or the phone', async (_what, change) => {
    const [unknown, nobody] = await newPerson();
    expect((await added({ ...unknown, ...change(unknown) })).PeopleId).not.toBe(nobody);
    const [sent, id] = await newPerson();
    await persons.edit({ peopleId: id, nickname: 'Skip', formerLast: `O'Former ${sent.Last}` });
    for (const rest of [{}, { Email: email() }, { Phone: phone() }]) {
      const gift = { ...sent, ...change(sent), ...rest };
      expect(await added(gift)).toMatchObject({ PeopleId: id, NewPerson: false, MultipleMatches: false });
      expect(await added({ ...sent, ...rest })).toMatchObject({ PeopleId: id });
    }
    const stranger = await added({ ...sent, ...change(sent), Email: email(), Phone: phone() });
    expect(stranger.PeopleId).not.toBe(id);
  });

  it('nickname and former last name no longer match after their removal', async () => {
    const [sent, id] = await newPerson();
    await persons.edit({ peopleId: id, nickname: 'Skip', formerLast: 'Old' });
    await persons.edit({ peopleId: id, nickname: null, formerLast: null });
    expect(await persons.show(id)).toMatchObject({ nickname: null, formerLast: null });
    expect((await added({ ...sent, First: 'Skip' })).PeopleId).not.toBe(id);
    expect((await added({ ...sent, Last: 'Old' })).PeopleId).not.toBe(id);
  });

  it('a corrected name matches, and the wrong one no longer does', async () => {
    const [sent, id] = await newPerson();
    await persons.edit({ peopleId: id, first: 'Zoë', last: 'Ray' });
    expect(await added({ ...sent, First: 'Zoe', Last: 'RAY' })).toMatchObject({ PeopleId: id });
    expect((await added(sent)).PeopleId).not.toBe(id);
  });

  it.each([
    ['Thomas', 'Tom'],
    ['Tom', 'Thomas'],
    ['Tommy', 'Thomas'],
    ['Tom', 'Tommy'],
    ['Robert', 'BOB'],
    ['Elizabeth', 'Liz'],
  ])('%s and %s match only when both e-mail and phone are equal', async (known, sent) => {
    const [details, id] = await newPerson({ First: known });
    const view = await recordedGift(service, { ...details, First: sent });
    expect(view).toMatchObject({ peopleId: id, match: { on: ['lastName', 'shortForm', 'email', 'phone'] } });
    const once = [{ Email: email() }, { Phone: phone() }, { Phone: 'n/a' }];
    for (const rest of once) {
      const other = await added({ ...details, First: sent, ...rest });
      expect(other.PeopleId).not.toBe(id);
    }
  });

  it('short forms are not transitive: Alexander and Alexandra match Alex, but not each other', async () => {
    const [details, id] = await newPerson({ First: 'Alexander' });
    const other = await added({ ...details, First: 'Alexandra' });
    expect(other).toMatchObject({ NewPerson: true });
    const view = await recordedGift(service, { ...details, First: 'Alex' });
    expect(view).toMatchObject({ peopleId: id, match: { otherCandidates: [other.PeopleId] } });
  });

  it('a short form with e-mail and phone scores higher than the name with one of them', async () => {
    const [details] = await newPerson({ First: 'Robert' });
    const phoneOnly = { ...details, First: 'Bob', Email: email() };
    const { PeopleId, NewPerson } = await added(phoneOnly);
    expect(NewPerson).toBe(true);
    const view = await recordedGift(service, { ...details, First: 'Bob' });
    expect(view).toMatchObject({ match: { on: ['lastName', 'shortForm', 'email', 'phone'] } });
    expect(view['match']).toMatchObject({ otherCandidates: [PeopleId] });
    const bob = await added({ ...phoneOnly });
    expect(bob).toMatchObject({ PeopleId, MultipleMatches: false });
  });
});

describe('a family', () => {
  const families: [string, Pick<Details, 'First'>[]][] = [
    ['a couple', [{ First: 'Maria' }, { First: 'Jorge' }]],
    ['parents and two children', [{ First: 'Maria' }, { First: 'Jorge' }, { First: 'Rosa' }, { First: 'Luis' }]],
    ['people with similar names', [{ First: 'Jo' }, { First: 'Joe' }, { First: 'Josef' }, { First: 'Joan' }]],
  ];
  const shares: [string, (shared: Details) => Partial<Details>][] = [
    ['the e-mail', ({ Email }) => ({ Email })],
    ['the phone', ({ Phone }) => ({ Phone })],
    ['e-mail and phone', ({ Email, Phone }) => ({ Email, Phone })],
    ['the e-mail, without any phone', ({ Email }) => ({ Email, Phone: 'n/a' })],
  ];
  const lastNames: [string, (shared: Details) => string][] = [
    ['one last name', ({ Last }) => Last],
    ['their own last names', ({ Last }) => `${Last}${letters()}`],
  ];
  const combinations = families.flatMap(([who, members]) =>
    shares.flatMap(([what, share]) =>
      lastNames.map(([names, lastName]) => [who, what, names, members, share, lastName] as const),
    ),
  );

  it.each(combinations)('%s sharing %s, with %s, keep their own gifts', async (...combination) => {
    const [, , , members, share, lastName] = combination;
    const shared = giver();
    const family = members.map(({ First }) => giver({ First, Last: lastName(shared), ...share(shared) }));
    const ids: number[] = [];
    for (const member of family) {
      const first = await added(member);
      expect(first).toMatchObject({ NewPerson: true, MultipleMatches: false });
      ids.push(first.PeopleId);
    }
    expect(new Set(ids).size).toBe(family.length);
    // They give again, from the last to the first, with other letter cases.
    for (const [i, member] of [...family.entries()].reverse()) {
      for (const change of [{}, { First: member.First.toUpperCase() }, { Email: member.Email.toUpperCase() }]) {
        const again = await added({ ...member, ...change, Amount: '3' });
        expect(again).toMatchObject({ PeopleId: ids[i], NewPerson: false, MultipleMatches: false });
      }
    }
  });

  it('is told apart when the father uses the mother’s e-mail and the son the father’s phone', async () => {
    const [mother, father, son] = [giver(), giver(), giver()].map((one) => ({ ...one, Last: 'Chain' })) as [
      Details,
      Details,
      Details,
    ];
    const ids = [];
    for (const member of [mother, father, son]) ids.push((await added(member)).PeopleId);
    await added({ ...father, Email: mother.Email });
    await added({ ...son, Phone: father.Phone });
    for (const waiting of await contacts.list()) {
      if (ids.includes(waiting.peopleId)) await contacts.confirm(waiting.id);
    }
    for (const Email of [mother.Email, father.Email, son.Email]) {
      for (const Phone of [mother.Phone, father.Phone, son.Phone]) {
        for (const [i, member] of [mother, father, son].entries()) {
          const known = Email === member.Email || Phone === member.Phone;
          if (known) expect(await added({ ...member, Email, Phone })).toMatchObject({ PeopleId: ids[i] });
        }
      }
    }
  });

  it('of father and son with the same name is told apart by e-mail and phone', async () => {
    const [father, id] = await newPerson();
    const son = await added({ ...father, Phone: phone(), Email: email() });
    expect(son.NewPerson).toBe(true);
    expect(await added(father)).toMatchObject({ PeopleId: id, MultipleMatches: false });
  });
});
