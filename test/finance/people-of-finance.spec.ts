import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type supertest from 'supertest';
import { type Login, startTestApp, type TestApp } from '../support/test-app.js';
import { changesRecordedBy, postAs } from './finance-calls.js';
import { type Added, addedGift, type Problem, refusal } from '../contract/gift-requests.js';
import { type Details, email, giver, letters, phone } from '../contract/givers.js';

let service: TestApp;
let finance: Login;
let deputy: Login;

beforeAll(async () => {
  service = await startTestApp();
  finance = await service.createUser('treasurer', 'some long password', ['Finance']);
  deputy = await service.createUser('deputy', 'some long password', ['Finance']);
});
afterAll(() => service.stop());

interface Contact {
  readonly id: number;
  readonly kind: string;
  readonly value: string;
  readonly confirmed: boolean;
}

interface Person extends Record<string, unknown> {
  readonly peopleId: number;
  readonly version: string;
  readonly contacts: readonly Contact[];
}

const post = (path: string, body?: object, login = finance): supertest.Test => postAs(service, login, path, body);

const show = async (id: number): Promise<Person> =>
  (await service.get(`People/${id}`, finance).expect(200)).body as Person;

const create = async (body: object): Promise<number> =>
  ((await post('People', body).expect(200)).body as { peopleId: number }).peopleId;

const edit = async (id: number, body: object, login = finance): Promise<supertest.Response> =>
  post(`People/${id}/edit`, { Version: (await show(id)).version, ...body }, login);

const added = (fields: object): Promise<Added> => addedGift(service, fields);

async function newPerson(fields: Partial<Details> = {}): Promise<[Details, number]> {
  const sent = giver(fields);
  return [sent, (await added(sent)).PeopleId];
}

const similarTo = (problem: Problem): number[] =>
  (problem.current as { persons: Person[] }).persons.map(({ peopleId }) => peopleId);

describe('a person', () => {
  it('is created with all details, and gets the next gift that matches', async () => {
    const sent = giver();
    const more = { Nickname: `Nick${letters()}`, FormerLast: `Former${letters()}`, Deceased: false };
    let id = 0;
    const changes = await changesRecordedBy(service, async () => {
      id = await create({ ...sent, ...more, Address: '1 Main Street\nMemphis', Zip: 38103 });
    });
    expect(changes).toEqual([['treasurer', 'person.create', `person ${id}`, {}]]);
    expect(await show(id)).toMatchObject({
      ...{ first: sent.First, last: sent.Last, email: sent.Email, phone: sent.Phone },
      ...{ nickname: more.Nickname, formerLast: more.FormerLast, deceased: false },
      ...{ address: '1 Main Street\nMemphis', zip: '38103', mergedInto: null, mergedFrom: [], giving: [] },
      contacts: [
        { value: sent.Email, confirmed: true },
        { value: sent.Phone, confirmed: true },
      ],
    });
    for (const change of [{}, { First: more.Nickname }, { Last: more.FormerLast }, { Email: email() }]) {
      expect(await added({ ...sent, ...change })).toMatchObject({ PeopleId: id, NewPerson: false });
    }
  });

  it('can be created without contacts; its PeopleId leads gifts there', async () => {
    const id = await create({ First: 'Nobody', Last: `Reachable${letters()}` });
    expect(await show(id)).toMatchObject({ email: '', phone: '', contacts: [] });
    expect((await added({ ...giver(), PeopleId: id })).PeopleId).toBe(id);
  });

  it.each<[string, (sent: Details) => object]>([
    ['all details', (sent) => sent],
    ['the name alone', ({ First, Last }) => ({ First: First.toUpperCase(), Last })],
    ['the name, with other contacts', (sent) => ({ ...sent, Email: email(), Phone: phone() })],
    ['the last name and the e-mail', (sent) => ({ ...sent, First: 'Other', Phone: phone() })],
    ['first name and contacts, under another last name', (sent) => ({ ...sent, Last: `Married${letters()}` })],
  ])('is not created if somebody has %s, unless that is confirmed', async (_what, likeThem) => {
    const [sent, id] = await newPerson();
    const body = likeThem(sent);
    const problem = await refusal(service, () => post('People', body), 409, 'similar_persons');
    expect(similarTo(problem)).toEqual([id]);
    expect(problem.current).toMatchObject({ persons: [{ peopleId: id, email: sent.Email }] });
    const other = await create({ ...body, Confirm: true });
    expect(other).not.toBe(id);
  });

  it('that is similar to a merged one names the survivor', async () => {
    const [sent, from] = await newPerson();
    const [, into] = await newPerson();
    await merge(from, into).then((answer) => expect(answer.status).toBe(200));
    const problem = await refusal(service, () => post('People', { ...sent }), 409, 'similar_persons');
    expect(similarTo(problem)).toEqual([into]);
  });

  it('is created once by a repeated call with a key, and by simultaneous calls without one', async () => {
    const sent = giver();
    const call = (): supertest.Test => post('People', { ...sent, Confirm: true }).set('Idempotency-Key', 'one person');
    const [first, second] = [await call(), await call()];
    expect([first.status, second.status, second.body]).toEqual([200, 200, first.body]);
    expect(second.headers['idempotency-replayed']).toBe('true');
    const other = giver();
    const answers = await Promise.all([1, 2, 3].map(() => post('People', other)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });

  it('shows to whom it was similar, and that leaves an entry of the reading', async () => {
    const [sent, id] = await newPerson();
    await post('People', sent).expect(409);
    const [entry] = await service.database.query(
      'SELECT action, subject, details FROM audit_entry ORDER BY id DESC LIMIT 1',
    );
    expect(entry).toEqual({ action: 'person.read', subject: 'people', details: { people: 1, peopleIds: [id] } });
  });

  it.each([
    [{ Last: 'Only' }, ['First']],
    [{ First: 'A', Last: ' ' }, ['Last']],
    [{ First: 'A', Last: 'B', Email: 'nowhere' }, ['Email']],
    [{ First: 'A', Last: 'B', Phone: '901-55x' }, ['Phone']],
    [{ First: 'A', Last: 'B', Phone: '9O1-555-0188' }, ['Phone']],
    [{ First: 'A', Last: 'B', Zip: 'x'.repeat(21), Phone: [1] }, ['Phone', 'Zip']],
    [{ First: 'A', Last: 'B', Birthday: '2000-01-01' }, ['Birthday']],
    [{ First: 'A', Last: 'B', Nickname: '' }, ['Nickname']],
  ])('is not created by %j', async (body, names) => {
    const problem = await refusal(service, () => post('People', body), 400, 'invalid_request');
    expect(problem.errors?.map(({ field }) => field).sort()).toEqual([...names].sort());
  });
});

describe('an edited person', () => {
  it('is found by the new name, and by an old one only as a former last name or a nickname', async () => {
    const [wrong, corrected] = await newPerson();
    await edit(corrected, { Last: 'Rightname' }).then(({ status }) => expect(status).toBe(200));
    expect(await added({ ...wrong, Last: 'RIGHT-NAME' })).toMatchObject({ PeopleId: corrected });
    expect((await added(wrong)).PeopleId).not.toBe(corrected);

    const [maiden, married] = await newPerson();
    const answer = await edit(married, { Last: 'Newname', FormerLast: maiden.Last, Nickname: 'Skipper' });
    expect(answer.body).toMatchObject({ last: 'Newname', formerLast: maiden.Last, nickname: 'Skipper' });
    for (const change of [{}, { Last: 'Newname' }, { First: 'SKIPPER' }]) {
      expect(await added({ ...maiden, ...change })).toMatchObject({ PeopleId: married, NewPerson: false });
    }
  });

  it('gets no phone number that matching cannot use', async () => {
    const [sent, id] = await newPerson();
    const { version } = await show(id);
    const call = (): supertest.Test => post(`People/${id}/edit`, { Version: version, Phone: '901-55x' });
    const problem = await refusal(service, call, 400, 'invalid_request');
    expect(problem.errors).toEqual([{ field: 'Phone', message: 'must be a valid phone number' }]);
    expect(await show(id)).toMatchObject({ phone: sent.Phone, version });
  });

  it('is found by the new e-mail and phone, and by the old ones until they are removed', async () => {
    const [sent, id] = await newPerson();
    const [Email, Phone] = [email(), phone()];
    const answer = await edit(id, { Email, Phone });
    expect(answer.body).toMatchObject({ email: Email, phone: Phone });
    for (const change of [{ Email, Phone: 'n/a' }, { Email: email(), Phone }, { Phone: 'n/a' }]) {
      expect(await added({ ...sent, ...change })).toMatchObject({ PeopleId: id, NewPerson: false });
    }
    const old = (await show(id)).contacts.filter(({ value }) => value === sent.Email || value === sent.Phone);
    expect(old).toHaveLength(2);
    for (const contact of old) await post(`Contacts/${contact.id}/remove`).expect(200);
    expect((await added(sent)).PeopleId).not.toBe(id);
    expect((await added({ ...sent, Email, Phone })).PeopleId).toBe(id);
  });

  it('gets a usable contact in place of one that matching could not use, also from a gift of an unconfirmed contact', async () => {
    const [sent, id] = await newPerson({ Phone: 'n/a' });
    const Email = email();
    const [Phone] = [phone()];
    await added({ ...sent, Email: sent.Email, Phone });
    expect((await show(id)).contacts).toContainEqual(expect.objectContaining({ value: Phone, confirmed: false }));
    await edit(id, { Phone, Email });
    expect((await show(id)).contacts).toContainEqual(expect.objectContaining({ value: Phone, confirmed: true }));
    expect(await added({ ...sent, Email: email(), Phone })).toMatchObject({ PeopleId: id });
  });

  it('loses what is cleared, and keeps what is left out', async () => {
    const [, id] = await newPerson();
    const changes = await changesRecordedBy(service, async () => {
      await edit(id, { Nickname: 'Skip', FormerLast: 'Old', Address: 'Main Street', Zip: '38103', Deceased: true });
      await edit(id, { Clear: ['Nickname', 'Zip'], Deceased: 'false' });
    });
    expect(await show(id)).toMatchObject({
      ...{ nickname: null, formerLast: 'Old', address: 'Main Street', zip: null, deceased: false },
    });
    expect(changes).toEqual([
      [
        'treasurer',
        'person.edit',
        `person ${id}`,
        { fields: ['nickname', 'formerLast', 'address', 'zip', 'deceased'] },
      ],
      ['treasurer', 'person.edit', `person ${id}`, { fields: ['nickname', 'zip', 'deceased'] }],
    ]);
  });

  it('is not changed by somebody who has not seen the change of another; the answer shows the person', async () => {
    const [, id] = await newPerson();
    const { version } = await show(id);
    const answers = await Promise.all([
      post(`People/${id}/edit`, { Version: version, Nickname: 'One' }),
      post(`People/${id}/edit`, { Version: version, Nickname: 'Two' }, deputy),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const loser = answers.find(({ status }) => status === 409)?.body as Problem;
    const winner = answers.find(({ status }) => status === 200)?.body as Person;
    expect(loser).toMatchObject({ code: 'person_changed', current: winner });
    expect((await show(id))['nickname']).toBe(winner['nickname']);
  });

  it('is changed once by a repeated call, also after the version has changed', async () => {
    const [, id] = await newPerson();
    const body = { Version: (await show(id)).version, Nickname: 'Skip' };
    const changes = await changesRecordedBy(service, async () => {
      for (let i = 0; i < 2; i++) await post(`People/${id}/edit`, body).expect(200);
    });
    expect(changes).toHaveLength(1);
  });

  it.each<[string, object, string[]]>([
    ['no version', { Version: undefined, Last: 'A' }, ['Version']],
    ['no change', {}, []],
    ['a blank name', { Last: ' ' }, ['Last']],
    ['a blank detail', { Nickname: '' }, ['Nickname']],
    ['a detail that is cleared as well', { Nickname: 'A', Clear: ['Nickname'] }, ['Nickname']],
    ['a detail that cannot be cleared', { Clear: ['Last'] }, ['Clear']],
    ['an invalid e-mail address', { Email: 'nowhere' }, ['Email']],
    ['an unknown field', { Last: 'A', Age: 7 }, ['Age']],
  ])('is refused %s', async (_what, body, names) => {
    const [, id] = await newPerson();
    const before = await show(id);
    const answer = await edit(id, body);
    expect([answer.status, (answer.body as Problem).code]).toEqual([400, 'invalid_request']);
    expect(((answer.body as Problem).errors ?? []).map(({ field }) => field)).toEqual(names);
    expect(await show(id)).toEqual(before);
  });
});

/** What a caller has seen who merges these persons now. */
async function seenBefore(from: number, into: number): Promise<object> {
  const preview = await service.get(`People/${from}/merge?into=${into}`, finance).expect(200);
  const seen = preview.body as { from: { person: Person }; into: { person: Person } };
  return { Into: into, Version: seen.from.person.version, IntoVersion: seen.into.person.version };
}

async function merge(from: number, into: number): Promise<supertest.Response> {
  return post(`People/${from}/merge`, await seenBefore(from, into));
}

describe('a merge', () => {
  it('is shown with what moves before it is made, and then moves it', async () => {
    const [one, from] = await newPerson();
    const [two, into] = await newPerson();
    const gift = await added({ ...one, Amount: '7.50' });
    await service.reverse(`${gift.ContributionId}/merge?amount=2.50`).expect(200);
    // A review, for another last name; and a contact that both have.
    await added({ ...giver(), PeopleId: from, Amount: '1.25' });
    await post(`People/${from}/contacts`, { Kind: 'email', Value: two.Email.toUpperCase() }).expect(200);
    const preview = (await service.get(`People/${from}/merge?into=${into}`, finance).expect(200)).body as object;
    expect(preview).toEqual({
      from: {
        person: expect.objectContaining({ peopleId: from, email: one.Email }),
        ...{ gifts: 3, pledges: 0, openReviews: 1 },
        totals: [{ currency: 'USD', count: 4, total: '16.25', pledgeCount: 0, pledgeTotal: '0.00' }],
      },
      into: expect.objectContaining({ gifts: 1, openReviews: 0 }),
      newContacts: [expect.objectContaining({ value: one.Email }), expect.objectContaining({ value: one.Phone })],
    });
    let answer: supertest.Response | undefined;
    const changes = await changesRecordedBy(service, async () => (answer = await merge(from, into)));
    expect(answer?.body).toMatchObject({ peopleId: into, mergedFrom: [from] });
    expect(changes[0]).toEqual(['treasurer', 'person.merge', `person ${from}`, { into }]);
    expect(await show(into)).toMatchObject({ giving: [{ count: 5, total: '26.25' }] });
    expect((await show(into)).contacts).toHaveLength(4);
    expect(await show(from)).toMatchObject({ mergedInto: into, contacts: [], giving: [] });
    expect((await added(one)).PeopleId).toBe(into);
  });

  it('is refused if one of the persons has changed since; the answer shows that one', async () => {
    const [, from] = await newPerson();
    const [, into] = await newPerson();
    const [one, two] = [await show(from), await show(into)];
    const body = { Into: into, Version: one.version, IntoVersion: two.version };
    await edit(into, { Nickname: 'Changed' }, deputy);
    const problem = await refusal(service, () => post(`People/${from}/merge`, body), 409, 'person_changed');
    expect(problem.current).toMatchObject({ peopleId: into, nickname: 'Changed' });
    expect(await show(from)).toMatchObject({ mergedInto: null });
  });

  it('is made once by two users at the same time; the other one finds it done', async () => {
    const [, from] = await newPerson();
    const [, into] = await newPerson();
    const seen = await seenBefore(from, into);
    const answers = await Promise.all([finance, deputy].map((login) => post(`People/${from}/merge`, seen, login)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200]);
    const merges = await service.database.query(
      `SELECT FROM audit_entry WHERE action = 'person.merge' AND subject = $1`,
      [`person ${from}`],
    );
    expect(merges).toHaveLength(1);
  });

  it('into itself, of unknown or of merged persons is refused', async () => {
    const [, one] = await newPerson();
    const [, from] = await newPerson();
    const [, into] = await newPerson();
    await merge(from, into);
    const calls: [number, number, number, string][] = [
      [one, one, 400, 'invalid_request'],
      [2_000_000_001, one, 404, 'giver_not_found'],
      [one, 2_000_000_001, 422, 'person_not_found'],
      [from, one, 409, 'person_merged'],
      [one, from, 409, 'person_merged'],
    ];
    for (const [path, other, status, code] of calls) {
      const body = { Into: other, Version: 'any', IntoVersion: 'any' };
      await refusal(service, () => post(`People/${path}/merge`, body), status, code);
      const preview = await service.get(`People/${path}/merge?into=${other}`, finance);
      expect([preview.status, (preview.body as Problem).code]).toEqual([status, code]);
    }
    await refusal(service, () => post(`People/${one}/merge`, { Into: into }), 400, 'invalid_request');
    await service.get(`People/${one}/merge`, finance).expect(400);
  });

  it('leaves a person that is edited or gets a contact no more', async () => {
    const [, from] = await newPerson();
    const [, into] = await newPerson();
    await merge(from, into);
    for (const [path, body] of [
      ['edit', { Version: (await show(from)).version, Last: 'New' }],
      ['contacts', { Kind: 'email', Value: email() }],
    ] as const) {
      const problem = await refusal(service, () => post(`People/${from}/${path}`, body), 409, 'person_merged');
      expect(problem.current).toEqual({ peopleId: from, mergedInto: into });
    }
  });
});

describe('the history of a person', () => {
  it('has the changes of the person, its contacts and those who were merged into it, and no readings', async () => {
    const from = await create({ First: 'Hist', Last: `Ory${letters()}` });
    const [, into] = await newPerson();
    const contact = (await post(`People/${from}/contacts`, { Kind: 'email', Value: email() }).expect(200))
      .body as Contact;
    await edit(into, { Nickname: 'Skip' });
    await merge(from, into);
    const answer = await service.get(`People/${into}/history`, finance).expect(200);
    expect((answer.body as { entries: object[] }).entries).toMatchObject([
      {
        action: 'person.merge',
        subject: `person ${from}`,
        details: { into },
        meaning: 'merged a person into another one',
      },
      { action: 'person.edit', subject: `person ${into}`, actor: 'treasurer' },
      { action: 'contact.add', subject: `contact ${contact.id}`, details: { peopleId: from } },
      { action: 'person.create', subject: `person ${from}` },
    ]);
    await service.get('People/2000000001/history', finance).expect(404);
  });
});
