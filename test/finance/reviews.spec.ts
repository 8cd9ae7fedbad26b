import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type supertest from 'supertest';
import { PersonRecords } from '../../src/people/person-records.service.js';
import { type Login, startTestApp, type TestApp } from '../support/test-app.js';
import { type Added, addedGift, fillPool, type Problem, readBack } from '../contract/gift-requests.js';
import { type Details, email, giver, phone } from '../contract/givers.js';
import { listedReasons, openReview, type Review } from './review-requests.js';
import { mergePersons } from '../support/merge-persons.js';

let service: TestApp;
let finance: Login;
let persons: PersonRecords;

beforeAll(async () => {
  service = await startTestApp();
  finance = await service.createUser('treasurer', 'correct horse battery', ['Finance']);
  persons = service.app.get(PersonRecords, { strict: false });
});
afterAll(() => service.stop());

const added = (fields: object): Promise<Added> => addedGift(service, fields);

async function newPerson(): Promise<[Details, number]> {
  const sent = giver();
  const { PeopleId, ContributionId } = await added(sent);
  expect(await reasonsOf(ContributionId)).toEqual([]);
  return [sent, PeopleId];
}

const get = (path: string, login = finance): supertest.Test =>
  service
    .http()
    .get(path)
    .auth(...login);

const post = (path: string, login = finance): supertest.Test =>
  service
    .http()
    .post(path)
    .auth(...login);

const list = async (query = ''): Promise<Review[]> =>
  ((await get(`/Api/Reviews${query}`).expect(200)).body as { reviews: Review[] }).reviews;

const reviewOf = (contributionId: number): Promise<Review> => openReview(service, finance, contributionId);
const reasonsOf = (contributionId: number): Promise<string[]> => listedReasons(service, contributionId);

/** The reasons for which a gift with these fields is listed. */
const reasonsFor = async (fields: object): Promise<string[]> => reasonsOf((await added(fields)).ContributionId);

const age = (contributionId: number, interval: string): Promise<unknown> =>
  service.database.query('UPDATE contribution SET created_at = created_at - $2::interval WHERE id = $1', [
    contributionId,
    interval,
  ]);

async function closedFund(): Promise<number> {
  const [fund] = await service.database.query<{ id: number }>(
    `INSERT INTO fund (name, is_open) VALUES ('Closed ' || random(), false) RETURNING id`,
  );
  return fund?.id ?? 0;
}

/** A gift that is listed because its person is deceased. */
async function listed(): Promise<Added> {
  const [sent, id] = await newPerson();
  await persons.edit({ peopleId: id, deceased: true });
  return added({ ...sent, Amount: '5' });
}

describe('a gift is recorded, and listed for review', () => {
  it('when several people matched, and the review names the others', async () => {
    const [one, id] = await newPerson();
    const two = { ...one, Email: email(), Phone: phone() };
    const other = (await added(two)).PeopleId;
    const { ContributionId } = await added({ ...one, Phone: two.Phone, Amount: '5' });
    expect(await reviewOf(ContributionId)).toMatchObject({
      peopleId: id,
      reasons: ['several_matches'],
      otherMatches: [other],
      otherPersons: [other],
    });
    expect(await reasonsFor({ ...one, Amount: '6' })).toEqual([]);
  });

  it.each<[string, (sent: Details) => object, string[]]>([
    ['another last name', () => ({ Last: 'Stranger' }), ['other_last_name']],
    ['the same last name in another spelling', (sent) => ({ Last: ` ${sent.Last.toUpperCase()}` }), []],
    ['the former last name', () => ({ Last: 'Formér' }), []],
    ['a last name that folds to nothing', () => ({ Last: "'" }), ['other_last_name']],
    ['the same last name with another first name', () => ({ First: 'Other' }), []],
  ])('when PeopleId was sent with a different last name: %s', async (_which, change, reasons) => {
    const [sent, PeopleId] = await newPerson();
    await persons.edit({ peopleId: PeopleId, formerLast: 'Former' });
    expect(await reasonsFor({ ...sent, ...change(sent), PeopleId, Amount: '5' })).toEqual(reasons);
  });

  it('when the PeopleId of a merged person was sent, only if the last name belongs to neither person', async () => {
    const [one, from] = await newPerson();
    const [two, into] = await newPerson();
    await mergePersons(service, { from, into });
    expect(await reasonsFor({ ...two, PeopleId: from, Amount: '5' })).toEqual([]);
    expect(await reasonsFor({ ...one, PeopleId: from, Amount: '6' })).toEqual([]);
    expect(await reasonsFor({ ...one, PeopleId: into, Last: 'Stranger', Amount: '7' })).toEqual(['other_last_name']);
  });

  it.each([
    ['matched', (sent: Details) => sent],
    ['named by PeopleId', (sent: Details, PeopleId: number) => ({ ...sent, PeopleId })],
  ])('when the person, %s, is marked deceased, until the mark is removed', async (_how, fields) => {
    const [sent, id] = await newPerson();
    await persons.edit({ peopleId: id, deceased: true });
    expect(await reasonsFor({ ...fields(sent, id), Amount: '5' })).toEqual(['deceased']);
    await persons.edit({ peopleId: id, deceased: false });
    expect(await reasonsFor({ ...fields(sent, id), Amount: '6' })).toEqual([]);
  });

  it('when the fund is closed', async () => {
    expect(await reasonsFor({ ...giver(), FundId: await closedFund() })).toEqual(['closed_fund']);
    expect(await reasonsFor({ ...giver(), FundId: 1 })).toEqual([]);
  });

  it.each<[string, (sent: Details) => Partial<Details>, string[]]>([
    ['the same last name and e-mail', ({ Last, Email }) => ({ Last, Email }), ['similar_person']],
    ['the same last name and phone', ({ Last, Phone }) => ({ Last: Last.toUpperCase(), Phone }), ['similar_person']],
    ['the former last name and the e-mail', ({ Email }) => ({ Last: 'FORMER', Email }), ['similar_person']],
    ['only the last name', ({ Last }) => ({ Last }), []],
    ['only e-mail and phone', ({ Email, Phone }) => ({ Email, Phone }), []],
    ['only an unusable phone in common', ({ Last }) => ({ Last, Phone: 'n/a' }), []],
  ])('when a person was created although somebody has %s', async (_what, change, reasons) => {
    const [sent, id] = await newPerson();
    await persons.edit({ peopleId: id, formerLast: 'Former' });
    const created = await added(giver(change(sent)));
    expect(created.NewPerson).toBe(true);
    expect(await reasonsOf(created.ContributionId)).toEqual(reasons);
  });

  it('when the shared contact is unconfirmed or the person’s first name cannot be compared', async () => {
    const [sent] = await newPerson();
    const brought = phone();
    await added({ ...sent, Phone: brought });
    const created = await added({ ...sent, Email: email(), Phone: brought });
    expect(created.NewPerson).toBe(true);
    expect(await reasonsOf(created.ContributionId)).toEqual(['similar_person']);

    const nameless = giver({ First: "'" });
    await added(nameless);
    const named = await added({ ...nameless, First: 'Bea' });
    expect(named.NewPerson).toBe(true);
    expect(await reasonsOf(named.ContributionId)).toEqual(['similar_person']);
  });

  it('when the last name belongs to a person merged into one who has the contact, confirmed or not', async () => {
    const [from, fromId] = await newPerson();
    const [into, intoId] = await newPerson();
    const brought = phone();
    await added({ ...into, Phone: brought, Amount: '5' });
    await mergePersons(service, { from: fromId, into: intoId });
    for (const contact of [{ Phone: brought }, { Email: into.Email }]) {
      const created = await added(giver({ Last: from.Last, ...contact }));
      expect(created.NewPerson).toBe(true);
      expect(await reasonsOf(created.ContributionId)).toEqual(['similar_person']);
    }
  });

  it('for all reasons at once', async () => {
    const [one, id] = await newPerson();
    const two = { ...one, Email: email(), Phone: phone() };
    await added(two);
    await persons.edit({ peopleId: id, deceased: true });
    const FundId = await closedFund();
    const { ContributionId } = await added({ ...one, Phone: two.Phone, FundId });
    const reasons = ['several_matches', 'deceased', 'closed_fund', 'possible_duplicate'];
    expect(await reviewOf(ContributionId)).toMatchObject({ reasons });
    expect(await reasonsFor({ ...giver(), PeopleId: id, FundId, Amount: '10.00' })).toEqual([
      'other_last_name',
      'deceased',
      'closed_fund',
      'possible_duplicate',
    ]);
  });
});

describe('a gift is a possible duplicate', () => {
  const DAY = '2026-03-01';
  const YES = ['possible_duplicate'];
  it.each<[string, object, object, string, string[]]>([
    ['of one from the same source within ten minutes', { Source: 'a' }, { Source: 'a' }, '9 minutes 50 seconds', YES],
    ['not of one from the same source later than that', { Source: 'a' }, { Source: 'a' }, '10 minutes 1 second', []],
    ['of one without a source within ten minutes', {}, {}, '0', YES],
    ['not of one without a source later than that', {}, {}, '11 minutes', []],
    ['of one from another source, however long ago', { Source: 'a' }, { Source: 'b' }, '300 days', YES],
    ['of one with a source, if it has none', { Source: 'a' }, {}, '300 days', YES],
    ['of one without a source, if it has one', {}, { Source: 'a' }, '300 days', YES],
    ['not of one with another amount', {}, { Amount: '10.01' }, '0', []],
    ['of the same amount in another notation', {}, { Amount: 10 }, '0', YES],
    ['not of one of another day', {}, { Date: '2026-03-02' }, '0', []],
    ['of one at another hour of the day', { Date: `${DAY}T08:00:00Z` }, { Date: `${DAY}T23:00:00Z` }, '0', YES],
    ['not of one of another person', {}, { ...giver() }, '0', []],
    ['of one for another fund', {}, { FundId: 1 }, '0', YES],
    [
      'of one from the same source, both with a transaction id, within ten minutes',
      { Source: 'a', TransactionId: 't3' },
      { Source: 'a', TransactionId: 't4' },
      '9 minutes 50 seconds',
      YES,
    ],
    [
      'not of one from the same source, both with a transaction id, later than that',
      { Source: 'a', TransactionId: 't5' },
      { Source: 'a', TransactionId: 't6' },
      '10 minutes 1 second',
      [],
    ],
    [
      'of one from the same source without a transaction id, if it has one',
      { Source: 'a' },
      { Source: 'a', TransactionId: 't1' },
      '0',
      YES,
    ],
    [
      'of one from another source, if it has a transaction id',
      { Source: 'a' },
      { Source: 'b', TransactionId: 't2' },
      '0',
      YES,
    ],
  ])('%s', async (_what, first, second, interval, reasons) => {
    const sent = { ...giver(), Date: DAY };
    const { ContributionId } = await added({ ...sent, ...first });
    await age(ContributionId, interval);
    expect(await reasonsFor({ ...sent, ...second })).toEqual(reasons);
    expect(await reasonsOf(ContributionId)).toEqual([]);
  });

  it('of one under another Idempotency-Key, but a repeated call is not', async () => {
    const sent = giver();
    const under = async (key: string): Promise<Added> =>
      (await service.add(sent).set('Idempotency-Key', key).expect(200)).body as Added;
    const first = await under('one gift');
    expect(await under('one gift')).toEqual(first);
    expect(await reasonsOf(first.ContributionId)).toEqual([]);
    const second = await under('another gift');
    expect(await reviewOf(second.ContributionId)).toMatchObject({ reasons: YES, otherGifts: [first.ContributionId] });
  });

  it('of many equal gifts, and the review names ten', async () => {
    const sent = giver();
    const ids: number[] = [];
    for (let i = 0; i < 12; i++) ids.push((await added(sent)).ContributionId);
    const last = ids.pop() ?? 0;
    const { otherGifts } = await reviewOf(last);
    expect(otherGifts).toHaveLength(10);
    expect(ids).toEqual(expect.arrayContaining([...otherGifts]));
  });

  it('not of one that was reversed', async () => {
    const sent = giver();
    const { ContributionId } = await added(sent);
    await service.reverse(`${ContributionId}/test`).expect(200);
    expect(await reasonsFor({ ...sent, Source: 'other' })).toEqual([]);
  });

  it('of one of the same person found in another way', async () => {
    const [sent, PeopleId] = await newPerson();
    expect(await reasonsFor({ ...sent, PeopleId, Source: 'other' })).toEqual(YES);
  });

  it('of a simultaneous one: exactly one of the two is listed', async () => {
    await fillPool(service);
    for (let i = 0; i < 10; i++) {
      const [sent, PeopleId] = await newPerson();
      const pair = [sent, i % 2 === 0 ? sent : { ...giver({ Last: sent.Last }), PeopleId }];
      const answers = await Promise.all(
        pair.map((fields, n) => service.add({ ...fields, Amount: '8', Source: `s${n}` }).expect(200)),
      );
      const reasons = [];
      for (const { body } of answers) reasons.push(...(await reasonsOf((body as Added).ContributionId)));
      expect(reasons).toEqual(YES);
    }
  });

  it('of a simultaneous first gift of a new person: exactly one of the two is listed', async () => {
    const sent = giver();
    const answers = await Promise.all([service.add(sent), service.add(sent)]);
    const reasons = [];
    for (const { body } of answers) reasons.push(...(await reasonsOf((body as Added).ContributionId)));
    expect(reasons).toEqual(YES);
  });
});

describe('GET /Api/Reviews', () => {
  it('shows open reviews, oldest first, with exactly these fields', async () => {
    const gifts = [await listed(), await listed(), await listed()];
    const reviews = await list();
    const ids = reviews.map(({ reviewId }) => reviewId);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
    const ours = reviews.slice(-3);
    expect(ours.map(({ contributionId }) => contributionId)).toEqual(gifts.map((gift) => gift.ContributionId));
    expect(JSON.stringify(ours[0])).toBe(
      JSON.stringify({
        reviewId: ours[0]?.reviewId,
        contributionId: gifts[0]?.ContributionId,
        peopleId: gifts[0]?.PeopleId,
        reasons: ['deceased'],
        otherMatches: [],
        otherPersons: [],
        otherGifts: [],
        createdAt: ours[0]?.createdAt,
      }),
    );
    expect(new Date(ours[0]?.createdAt ?? '').toISOString()).toBe(ours[0]?.createdAt);
    expect(await list(`?after=${ours[0]?.reviewId}`)).toEqual(ours.slice(1));
    expect(await list(`?after=${ours[2]?.reviewId}`)).toEqual([]);
    expect((await get('/api/reviews/').expect(200)).body).toEqual({ reviews });
  });

  it('has pages of 200', async () => {
    const { ContributionId } = await listed();
    const { reviewId } = await reviewOf(ContributionId);
    await service.database.query(
      `WITH copies AS (
         INSERT INTO contribution (person_id, amount, currency, given_at, day, fund_id, bundle_id, contribution_type_id,
           giver_first, giver_last, giver_email, giver_phone, created_by)
         SELECT person_id, 1000 + n, currency, given_at, day, fund_id, bundle_id, contribution_type_id,
           giver_first, giver_last, giver_email, giver_phone, created_by
         FROM contribution, generate_series(1, 205) n WHERE id = $1 RETURNING id
       )
       INSERT INTO review (contribution_id, reasons) SELECT id, '{deceased}' FROM copies`,
      [ContributionId],
    );
    const page = await list(`?after=${reviewId}`);
    expect(page).toHaveLength(200);
    expect(await list(`?after=${page.at(-1)?.reviewId}`)).toHaveLength(5);
  });

  it.each(['x', '-1', '1.5', '1e1', '2147483648', '1&after=2'])('refuses after=%s', async (after) => {
    const answer = await get(`/Api/Reviews?after=${after}`).expect(400);
    expect(answer.body).toMatchObject({ code: 'invalid_request', errors: [{ field: 'after' }] });
  });
});

describe('reviews for Finance', () => {
  it.each<[string, () => supertest.Test]>([
    ['GET /Api/Reviews', () => get('/Api/Reviews', service.login)],
    ['POST /Api/Reviews/1/accept', () => post('/Api/Reviews/1/accept', service.login)],
    [
      'POST /Api/Contributions/1/reassign',
      () => post('/Api/Contributions/1/reassign', service.login).send({ PeopleId: 1 }),
    ],
  ])('%s is allowed only for Finance', async (_what, call) => {
    const answer = await call().expect(403);
    expect(answer.body).toMatchObject({ code: 'forbidden', detail: expect.stringContaining('Finance') });
  });

  it('accepting compares the person and the reasons with what the caller has seen', async () => {
    const { ContributionId } = await listed();
    const { reviewId, peopleId, reasons } = await reviewOf(ContributionId);
    const accept = (body: object): supertest.Test => post(`/Api/Reviews/${reviewId}/accept`).send(body);
    for (const seen of [
      { PeopleId: peopleId + 1 },
      { PeopleId: peopleId, Reasons: [...reasons, 'deceased'] },
      { Reasons: [] },
    ]) {
      const answer = await accept(seen).expect(409);
      expect(answer.body).toMatchObject({ code: 'review_changed', current: { reviewId, peopleId, reasons } });
    }
    await accept({ Reasons: 'deceased' }).expect(400);
    await accept({ PeopleId: peopleId, Reasons: [...reasons].reverse() }).expect(200);
    // It is closed, and nothing is left to compare.
    await accept({ PeopleId: peopleId + 1 }).expect(200);
  });

  it('accepting removes a review from the list, and accepting it again changes nothing', async () => {
    const second = await service.createUser('second', 'correct horse battery', ['Finance', 'Developer']);
    const { ContributionId } = await listed();
    const { reviewId } = await reviewOf(ContributionId);
    const row = (): Promise<unknown[]> => service.database.query('SELECT * FROM review WHERE id = $1', [reviewId]);
    const answer = await post(`/Api/Reviews/${reviewId}/accept`).expect(200);
    expect(answer.body).toEqual({ reviewId, accepted: true });
    const kept = await row();
    expect(kept).toMatchObject([{ accepted_by: 'treasurer', accepted_at: expect.any(Date) }]);
    expect((await post(`/Api/Reviews/${reviewId}/accept`, second).expect(200)).body).toEqual(answer.body);
    expect(await row()).toEqual(kept);
    expect(await list(`?after=${reviewId - 1}`)).not.toContainEqual(expect.objectContaining({ reviewId }));
  });

  it.each([
    ['2147483647', 404, 'review_not_found'],
    ['0', 400, 'invalid_request'],
    ['1e1', 400, 'invalid_request'],
  ])('accepting review %s is answered %i %s', async (id, status, code) => {
    const answer = await post(`/Api/Reviews/${id}/accept`).expect(status);
    expect((answer.body as Problem).code).toBe(code);
  });

  it('a merge moves the reviews of the gifts to the survivor', async () => {
    const { ContributionId, PeopleId } = await listed();
    const [, into] = await newPerson();
    await mergePersons(service, { from: PeopleId, into });
    expect(await reviewOf(ContributionId)).toMatchObject({ peopleId: into, reasons: ['deceased'] });
    expect((await readBack(service, ContributionId)).peopleId).toBe(into);
  });
});
