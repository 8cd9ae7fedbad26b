import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type supertest from 'supertest';
import { PersonRecords } from '../../src/people/person-records.service.js';
import { type Login, ROLES, startTestApp, type TestApp } from '../support/test-app.js';
import { type Added, addedGift, type Problem } from './gift-requests.js';
import { type Details, email, giver, phone } from './givers.js';
import { mergePersons } from '../support/merge-persons.js';

let service: TestApp;

beforeAll(async () => {
  service = await startTestApp();
});
afterAll(() => service.stop());

const added = (fields: object): Promise<Added> => addedGift(service, fields);

const send = (fields: object, query: string, login = service.login): supertest.Test =>
  service
    .http()
    .post(`/Api/AddContribution${query}`)
    .auth(...login)
    .send({ ...giver(), Amount: '10', ...fields });

/** A dry run. */
const preview = (fields: object, login = service.login): supertest.Test =>
  service
    .http()
    .post('/Api/PreviewContribution')
    .auth(...login)
    .send({ ...giver(), Amount: '10', ...fields });

async function newPerson(fields: Partial<Details> = {}): Promise<[Details, number]> {
  const sent = giver(fields);
  return [sent, (await added(sent)).PeopleId];
}

/** Every row of every table that a gift touches. */
async function everything(): Promise<unknown> {
  const tables = ['person', 'contact', 'match_key', 'contribution', 'bundle', 'review', 'reassignment', 'app_user'];
  const rows = [];
  for (const table of tables) rows.push(await service.database.query(`SELECT * FROM ${table} t ORDER BY t::text`));
  rows.push(await service.database.query('SELECT count(*) FROM job'));
  return rows;
}

/** Makes a dry run in both ways, and checks that neither stores anything. Returns the text of the answer. */
async function dryRun(fields: object): Promise<string> {
  const sent = { ...giver(), ...fields };
  const before = await everything();
  const answer = await preview(sent).expect(200);
  expect((await send(sent, '?dryRun=true').expect(200)).text).toBe(answer.text);
  expect(await everything()).toEqual(before);
  expect(answer.headers).toMatchObject({ 'cache-control': 'no-store' });
  return answer.text;
}

const text = (wouldCreate: boolean, peopleId: number | null, matchedOn: string[], candidates: number[]): string =>
  JSON.stringify({ wouldCreate, peopleId, matchedOn, candidates });

describe('a dry run shows what the real call would do, and stores nothing:', () => {
  it('a new person, repeatedly, until one is created', async () => {
    const sent = giver();
    for (let i = 0; i < 3; i++) expect(await dryRun(sent)).toBe(text(true, null, [], []));
    const { PeopleId, NewPerson } = await added(sent);
    expect(NewPerson).toBe(true);
    expect(await dryRun(sent)).toBe(text(false, PeopleId, ['lastName', 'firstName', 'email', 'phone'], [PeopleId]));
  });

  it.each<[string, (sent: Details) => object, string[]]>([
    ['e-mail and phone', () => ({}), ['lastName', 'firstName', 'email', 'phone']],
    ['the e-mail, with a new phone', () => ({ Phone: phone() }), ['lastName', 'firstName', 'email']],
    ['the phone, with a new e-mail', () => ({ Email: email() }), ['lastName', 'firstName', 'phone']],
    ['a short form', () => ({ First: 'Tom' }), ['lastName', 'shortForm', 'email', 'phone']],
    [
      'the nickname and the former name',
      () => ({ First: 'Skip', Last: 'Old' }),
      ['lastName', 'firstName', 'email', 'phone'],
    ],
  ])('a match on %s', async (_what, change, matchedOn) => {
    const [sent, id] = await newPerson({ First: 'Thomas' });
    await service.app.get(PersonRecords, { strict: false }).edit({ peopleId: id, nickname: 'Skip', formerLast: 'Old' });
    expect(await dryRun({ ...sent, ...change(sent) })).toBe(text(false, id, matchedOn, [id]));
  });

  it('several matches, best first, of which the real call takes the first', async () => {
    const [one, low] = await newPerson();
    const two = { ...one, Email: email(), Phone: phone() };
    const middle = (await added(two)).PeopleId;
    const three = { ...one, Email: email(), Phone: phone() };
    const high = (await added(three)).PeopleId;
    const one_two = { ...one, Phone: two.Phone };
    expect(await dryRun(one_two)).toBe(text(false, low, ['lastName', 'firstName', 'email'], [low, middle]));
    const contacts = 'INSERT INTO contact (person_id, kind, value, folded, confirmed) VALUES ($1, $2, $3, $3, true)';
    await service.database.query(contacts, [high, 'email', one.Email]);
    await service.database.query(contacts, [high, 'phone', `+1${two.Phone}`]);
    const best = ['lastName', 'firstName', 'email', 'phone'];
    expect(await dryRun(one_two)).toBe(text(false, high, best, [high, low, middle]));
    expect(await added(one_two)).toMatchObject({ PeopleId: high, MultipleMatches: true });
  });

  it('the person of a PeopleId, without matching', async () => {
    const [sent] = await newPerson();
    const [, id] = await newPerson();
    expect(await dryRun({ ...sent, PeopleId: id })).toBe(text(false, id, [], []));
  });

  it('the survivor of a merged person, by PeopleId and by details', async () => {
    const [sent, from] = await newPerson();
    const [, into] = await newPerson();
    await mergePersons(service, { from, into });
    expect(await dryRun({ PeopleId: from })).toBe(text(false, into, [], []));
    expect(await dryRun(sent)).toBe(text(false, into, ['lastName', 'firstName', 'email', 'phone'], [into]));
  });

  it('the person of a gift that needs a new bundle and a review', async () => {
    const [sent, id] = await newPerson();
    await service.app.get(PersonRecords, { strict: false }).edit({ peopleId: id, deceased: true });
    expect(await dryRun({ ...sent, BundleTypeId: 20 })).toContain(`"peopleId":${id}`);
  });

  it('ten at once, together with the first real gift of the same giver', async () => {
    const sent = giver();
    const runs = Array.from({ length: 10 }, () => preview(sent).expect(200));
    const [real] = await Promise.all([service.add(sent).expect(200), ...runs]);
    expect(real.body).toMatchObject({ NewPerson: true });
    const id = (real.body as Added).PeopleId;
    expect(await service.database.query('SELECT id FROM person WHERE email = $1', [sent.Email])).toEqual([{ id }]);
  });
});

describe('a dry run of another processor', () => {
  let other: Login;
  let finance: Login;
  beforeAll(async () => {
    const password = 'correct horse battery';
    other = await service.createUser('elsewhere', password, ROLES);
    finance = await service.createUser('treasurer', password, [...ROLES, 'Finance']);
  });

  const asked = async (login: Login, fields: object): Promise<string> =>
    (await preview(fields, login).expect(200)).text;

  const ALL = ['lastName', 'firstName', 'email', 'phone'];

  it('does not identify a person without a gift of that processor', async () => {
    const [sent, id] = await newPerson();
    const wrongPhone = { ...sent, Phone: phone() };
    for (const fields of [sent, wrongPhone, { PeopleId: id }]) {
      expect(await asked(other, fields)).toBe(text(false, null, [], []));
    }
    expect(await asked(finance, sent)).toBe(text(false, id, ALL, [id]));
    expect(await asked(finance, { PeopleId: id })).toBe(text(false, id, [], []));
  });

  it('names the person once that processor has a gift, also after a merge', async () => {
    const [sent, id] = await newPerson();
    await service.add({ ...sent, Amount: '10' }, other).expect(200);
    expect(await asked(other, sent)).toBe(text(false, id, ALL, [id]));
    const [survivor, into] = await newPerson();
    expect(await asked(other, survivor)).toBe(text(false, null, [], []));
    await mergePersons(service, { from: id, into });
    expect(await asked(other, survivor)).toBe(text(false, into, ALL, [into]));
  });

  it('leaves unknown persons out of the candidates', async () => {
    const [one, low] = await newPerson();
    const two = { ...one, Email: email(), Phone: phone() };
    const high = (await added(two)).PeopleId;
    await service.add({ ...two, Amount: '10' }, other).expect(200);
    const both = { ...one, Phone: two.Phone };
    expect(await asked(finance, both)).toBe(text(false, low, ['lastName', 'firstName', 'email'], [low, high]));
    // The real call would give the gift to the other person.
    expect(await asked(other, both)).toBe(text(false, null, [], [high]));
  });

  it('tells whether a person would be created', async () => {
    expect(await asked(other, giver())).toBe(text(true, null, [], []));
  });
});

describe('a dry run is refused like the real call:', () => {
  it.each<[string, object, number, string]>([
    [
      'invalid fields, all at once',
      { Email: 'x', Amount: '-1', Date: '2026-02-30', FundId: 1.5 },
      400,
      'invalid_request',
    ],
    ['a missing field', { Last: ' ' }, 400, 'invalid_request'],
    ['an unknown fund', { FundId: 2_147_483_647 }, 422, 'fund_not_found'],
    ['an unknown bundle type', { BundleTypeId: 3000 }, 422, 'bundle_type_not_found'],
    ['an unknown contribution type', { ContributionTypeId: 3000 }, 422, 'contribution_type_not_allowed'],
    ['the type of a reversal', { ContributionTypeId: 7 }, 422, 'contribution_type_not_allowed'],
    ['an unknown person', { PeopleId: 2_147_483_647 }, 422, 'person_not_found'],
    ['no matching person', { IgnoreUnknownPerson: true }, 422, 'unknown_person'],
  ])('%s', async (_what, fields, status, code) => {
    const before = await everything();
    const sent = { ...giver(), ...fields };
    const [dry, alias, real] = [await preview(sent), await send(sent, '?dryRun=true'), await send(sent, '')];
    const body = ({ body: problem }: supertest.Response): object => ({ ...(problem as Problem), instance: '' });
    expect([dry.status, (dry.body as Problem).code]).toEqual([status, code]);
    expect([body(dry), body(alias)]).toEqual([body(real), body(real)]);
    expect(await everything()).toEqual(before);
  });

  it('without credentials, and by a user who may not write', async () => {
    const reader = await service.createUser('reader', 'correct horse battery', ['Developer', 'APIOnly']);
    for (const address of ['/Api/PreviewContribution', '/Api/AddContribution?dryRun=true']) {
      await service.http().post(address).send(giver()).expect(401);
      const call = service.http().post(address);
      await call
        .auth(...reader)
        .send(giver())
        .expect(403);
    }
  });
});

it.each(['?dryRun=true', '?dryRun=false'])(
  'PreviewContribution%s is refused: it is always a dry run',
  async (query) => {
    const call = service.http().post(`/Api/PreviewContribution${query}`);
    const answer = await call.auth(...service.login).send({ ...giver(), Amount: '10' });
    expect([answer.status, answer.body]).toEqual([400, expect.objectContaining({ errors: [expect.anything()] })]);
  },
);

describe('dryRun', () => {
  it.each(['?dryRun=true', '?dryRun=TRUE', '?dryRun=True', '?dryrun=true', '?DRYRUN=true'])(
    '%s is a dry run',
    async (query) => {
      expect((await send({}, query).expect(200)).body).toMatchObject({ wouldCreate: true });
    },
  );

  it.each(['', '?', '?dryRun=false', '?dryRun=FALSE'])('%j is the real call', async (query) => {
    expect((await send({}, query).expect(200)).body).toMatchObject({ NewPerson: true });
  });

  it.each([
    '?dryRun=yes',
    '?dryRun=1',
    '?dryRun=0',
    '?dryRun=true&dryRun=true',
    '?dryRun=true&DryRun=true',
    '?dryRun=true&dryRun=false',
  ])('%s is refused, and nothing is stored', async (query) => {
    const before = await everything();
    const answer = await send({}, query).expect(400);
    expect(answer.body).toMatchObject({ code: 'invalid_request', errors: [{ field: 'dryRun' }] });
    expect(await everything()).toEqual(before);
  });

  it.each(['?other=1&dryRun=true', '?other=true'])('%s is refused because of the parameter other', async (query) => {
    const before = await everything();
    const answer = await send({}, query).expect(400);
    expect(answer.body).toMatchObject({ code: 'invalid_request', errors: [{ field: 'other' }] });
    expect(await everything()).toEqual(before);
  });
});
