import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuditTrail } from '../../src/audit/index.js';
import { ContributionHistory } from '../../src/contributions/reading/contribution-history.service.js';
import { type Login, startTestApp, type TestApp } from '../support/test-app.js';
import { type Added, addedGift, fillPool } from './gift-requests.js';
import { type Details, email, giver } from './givers.js';
import { openReview } from './review-requests.js';
import type { TwoPersons } from '../../src/people/merging/merge-persons.service.js';
import { mergePersons } from '../support/merge-persons.js';

let service: TestApp;
let finance: Login;

beforeAll(async () => {
  service = await startTestApp();
  finance = await service.createUser('treasurer', 'correct horse battery', ['Finance']);
});
afterAll(() => service.stop());

const added = (fields: object): Promise<Added> => addedGift(service, fields);
const merge = (both: TwoPersons): Promise<void> => mergePersons(service, both);
const accept = (reviewId: number): Promise<unknown> =>
  service
    .http()
    .post(`/Api/Reviews/${reviewId}/accept`)
    .auth(...finance)
    .expect(200);

/** How the review of a gift was closed; nulls while it is open. */
async function closing(contributionId: number): Promise<object | undefined> {
  const [row] = await service.database.query<object>(
    'SELECT accepted_by AS by, closed_through AS through FROM review WHERE contribution_id = $1',
    [contributionId],
  );
  return row;
}

const OPEN = { by: null, through: null };

/** What the audit trail has of the review of a gift. */
async function audited(contributionId: number): Promise<unknown[]> {
  const [review] = await service.database.query<{ id: number }>('SELECT id FROM review WHERE contribution_id = $1', [
    contributionId,
  ]);
  const entries = await service.app.get(AuditTrail).list({ subject: `review ${review?.id}` });
  return entries.map(({ actor, action, details }) => ({ actor, action, details }));
}

/** A gift that made a new person because its last name has changed. */
async function changedName(): Promise<{ sent: Details; before: number; gift: Added }> {
  const sent = giver();
  const before = (await added(sent)).PeopleId;
  return { sent, before, gift: await added({ ...sent, Last: `${sent.Last}-Jones` }) };
}

/** Two equal gifts; the second is listed. */
async function twoEqual(): Promise<[Added, Added]> {
  const sent = giver();
  const pair = [await added(sent), await added(sent)] as [Added, Added];
  expect(await openReview(service, finance, pair[1].ContributionId)).toMatchObject({
    otherGifts: [pair[0].ContributionId],
  });
  return pair;
}

describe('a review is closed by a reversal', () => {
  it('of its gift, whatever it was listed for, in the name of who reversed it', async () => {
    const { gift } = await changedName();
    await service.reverse(`${gift.ContributionId}/tests`).expect(200);
    expect(await closing(gift.ContributionId)).toEqual({ by: 'api', through: 'reversal' });
    expect(await audited(gift.ContributionId)).toEqual([
      {
        actor: 'api',
        action: 'review.close',
        details: { contributionId: gift.ContributionId, through: 'reversal' },
      },
    ]);
    await expect(openReview(service, finance, gift.ContributionId)).rejects.toThrow('No open review');
  });

  it('of the gift that it may be the same as, once none of these stands', async () => {
    const [first, second] = await twoEqual();
    await service.reverse(`${first.ContributionId}/tests`).expect(200);
    expect(await closing(second.ContributionId)).toEqual({ by: 'api', through: 'reversal' });
    const third = await added({ ...giver(), PeopleId: second.PeopleId, Last: 'Stranger' });
    expect(await openReview(service, finance, third.ContributionId)).toMatchObject({
      reasons: ['other_last_name', 'possible_duplicate'],
      otherGifts: [second.ContributionId],
    });
    await service.reverse(`${second.ContributionId}/tests`).expect(200);
    // Another question is open.
    expect(await closing(third.ContributionId)).toEqual(OPEN);
  });

  it('not of a gift that another review names while one more of these stands', async () => {
    const [first, second] = await twoEqual();
    const third = await added({ ...giver(), PeopleId: first.PeopleId });
    await service.reverse(`${first.ContributionId}/tests`).expect(200);
    expect(await closing(third.ContributionId)).toEqual(OPEN);
    expect(await closing(second.ContributionId)).toMatchObject({ through: 'reversal' });
  });

  it('not again where somebody has accepted it before', async () => {
    const { gift } = await changedName();
    const { reviewId } = await openReview(service, finance, gift.ContributionId);
    await accept(reviewId);
    await service.reverse(`${gift.ContributionId}/tests`);
    expect(await closing(gift.ContributionId)).toEqual({ by: 'treasurer', through: 'accept' });
    expect(await audited(gift.ContributionId)).toMatchObject([{ action: 'review.accept' }]);
  });

  it('or by who accepts it at the same moment: by one of them, once', async () => {
    await fillPool(service);
    for (let i = 0; i < 10; i++) {
      const { gift } = await changedName();
      const { reviewId } = await openReview(service, finance, gift.ContributionId);
      const reversal = service.reverse(`${gift.ContributionId}/tests`).expect(200);
      await Promise.all([reversal, accept(reviewId)]);
      const through = (await closing(gift.ContributionId)) as { through: string };
      expect(['accept', 'reversal']).toContain(through.through);
      const action = through.through === 'accept' ? 'review.accept' : 'review.close';
      expect(await audited(gift.ContributionId)).toMatchObject([{ action }]);
    }
  });
});

describe('a review is closed by a merge', () => {
  it.each<[string, (before: number, after: number) => TwoPersons]>([
    ['of its person into the other', (before, after) => ({ from: after, into: before })],
    ['of the other into its person', (before, after) => ({ from: before, into: after })],
  ])('%s', async (_how, personsOf) => {
    const { before, gift } = await changedName();
    await merge(personsOf(before, gift.PeopleId));
    expect(await closing(gift.ContributionId)).toEqual({ by: 'command line', through: 'merge' });
    expect(await audited(gift.ContributionId)).toMatchObject([
      { action: 'review.close', details: { contributionId: gift.ContributionId, through: 'merge' } },
    ]);
  });

  it('of the last of several whom it names', async () => {
    const one = giver();
    const two = { ...one, Email: email() };
    const three = { ...one, Email: email(), Phone: 'n/a' };
    const [a, b] = [(await added(one)).PeopleId, (await added({ ...two, Phone: giver().Phone })).PeopleId];
    const c = await added(three);
    expect((await openReview(service, finance, c.ContributionId)).otherPersons).toEqual([a, b]);
    await merge({ from: a, into: b });
    expect((await openReview(service, finance, c.ContributionId)).otherPersons).toEqual([b]);
    await merge({ from: b, into: c.PeopleId });
    expect(await closing(c.ContributionId)).toMatchObject({ through: 'merge' });
  });

  it('of those who matched; a review that a program of before has listed is closed as well', async () => {
    const one = giver();
    const two = { ...one, Email: email(), Phone: giver().Phone };
    const [a, b] = [(await added(one)).PeopleId, (await added(two)).PeopleId];
    const gift = await added({ ...one, Phone: two.Phone, Amount: '5' });
    await service.database.query(`UPDATE review SET other_persons = '{}' WHERE contribution_id = $1`, [
      gift.ContributionId,
    ]);
    expect((await openReview(service, finance, gift.ContributionId)).otherPersons).toEqual([b]);
    await merge({ from: a, into: b });
    expect(await closing(gift.ContributionId)).toMatchObject({ through: 'merge' });
  });

  it('not of its person with somebody else, and not while another question is open', async () => {
    const { gift } = await changedName();
    const stranger = (await added(giver())).PeopleId;
    await merge({ from: stranger, into: gift.PeopleId });
    expect(await closing(gift.ContributionId)).toEqual(OPEN);

    const { sent, before, gift: other } = await changedName();
    const twice = await added({ ...sent, Last: `${sent.Last}-Jones`, Source: 'other' });
    await merge({ from: before, into: other.PeopleId });
    expect(await closing(other.ContributionId)).toMatchObject({ through: 'merge' });
    expect(await closing(twice.ContributionId)).toEqual(OPEN);
  });
});

it('the history of a gift shows merges among reassignments and its reversal, in the order of time', async () => {
  const { before, gift } = await changedName();
  const other = (await added({ ...giver(), Amount: '77' })).PeopleId;
  await merge({ from: gift.PeopleId, into: before });
  await service
    .http()
    .post(`/Api/Contributions/${gift.ContributionId}/reassign`)
    .auth(...finance)
    .send({ PeopleId: other })
    .expect(200);
  await merge({ from: other, into: before });
  await service.reverse(`${gift.ContributionId}/tests`).expect(200);
  const history = service.app.get(ContributionHistory, { strict: false });
  expect(await history.of(gift.ContributionId)).toMatchObject([
    { what: 'recorded', by: 'api', from: null, to: null },
    { what: 'merged', by: 'command line', from: gift.PeopleId, to: before },
    { what: 'review closed', by: 'command line' },
    { what: 'reassigned', by: 'treasurer', from: before, to: other },
    { what: 'merged', by: 'command line', from: other, to: before },
    { what: 'reversed', by: 'api' },
  ]);
});
