import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuditTrail } from '../../src/audit/index.js';
import { closeReviewsOfReversed } from '../../src/contributions/reviews/index.js';
import { Transactions } from '../../src/database/index.js';
import { ContributionHistory } from '../../src/contributions/reading/contribution-history.service.js';
import { type Login, startTestApp, type TestApp } from '../support/test-app.js';
import { type Added, addedGift, fillPool } from '../contract/gift-requests.js';
import { type Details, email, giver } from '../contract/givers.js';
import { addPart, reversePart } from '../contract/payment-rows.js';
import { openReview } from './review-requests.js';
import { correct, newFund } from '../contract/reversal-requests.js';
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

/** The audit entries about the review of a gift. */
async function audited(contributionId: number): Promise<unknown[]> {
  const [review] = await service.database.query<{ id: number }>('SELECT id FROM review WHERE contribution_id = $1', [
    contributionId,
  ]);
  const entries = await service.app.get(AuditTrail).list({ subject: `review ${review?.id}` });
  return entries.map(({ actor, action, details }) => ({ actor, action, details }));
}

/** A gift that created a new person because the giver's last name had changed. */
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

describe('a reversal', () => {
  it('closes the review of its gift in the name of the user who reversed it', async () => {
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

  it('closes the review of a possible duplicate once no other equal gift remains', async () => {
    const [first, second] = await twoEqual();
    await service.reverse(`${first.ContributionId}/tests`).expect(200);
    expect(await closing(second.ContributionId)).toEqual({ by: 'api', through: 'reversal' });
    const third = await added({ ...giver(), PeopleId: second.PeopleId, Last: 'Stranger' });
    expect(await openReview(service, finance, third.ContributionId)).toMatchObject({
      reasons: ['other_last_name', 'possible_duplicate'],
      otherGifts: [second.ContributionId],
    });
    await service.reverse(`${second.ContributionId}/tests`).expect(200);
    // Another reason is still open.
    expect(await closing(third.ContributionId)).toEqual(OPEN);
  });

  it('leaves a review open while one of the equal gifts that it names remains', async () => {
    const [first, second] = await twoEqual();
    const third = await added({ ...giver(), PeopleId: first.PeopleId });
    await service.reverse(`${first.ContributionId}/tests`).expect(200);
    expect(await closing(third.ContributionId)).toEqual(OPEN);
    expect(await closing(second.ContributionId)).toMatchObject({ through: 'reversal' });
  });

  it('closes the review of a gift only when nothing is left of it', async () => {
    const { gift } = await changedName();
    const [first, second] = await twoEqual();
    for (const { ContributionId } of [gift, first]) {
      await service.reverse(`${ContributionId}/tests?amount=4`).expect(200);
    }
    expect(await closing(gift.ContributionId)).toEqual(OPEN);
    expect(await closing(second.ContributionId)).toEqual(OPEN);
  });

  it('of one part of a payment closes its review and leaves those of the other parts open', async () => {
    const { gift } = await changedName();
    const part = await addPart(service, gift.ContributionId, '7');
    await service.database.query(`INSERT INTO review (contribution_id, reasons) VALUES ($1, '{deceased}')`, [part]);
    await reversePart(service, part, '7');
    await service.app.get(Transactions, { strict: false }).run(async (tx) => {
      const by = 'api';
      await closeReviewsOfReversed(tx, service.app.get(AuditTrail), {
        contributionIds: [part],
        settledIds: [part],
        by,
      });
    });
    expect(await closing(part)).toEqual({ by: 'api', through: 'reversal' });
    expect(await closing(gift.ContributionId)).toEqual(OPEN);
  });

  it('does not close a review that was already accepted', async () => {
    const { gift } = await changedName();
    const { reviewId } = await openReview(service, finance, gift.ContributionId);
    await accept(reviewId);
    await service.reverse(`${gift.ContributionId}/tests`);
    expect(await closing(gift.ContributionId)).toEqual({ by: 'treasurer', through: 'accept' });
    expect(await audited(gift.ContributionId)).toMatchObject([{ action: 'review.accept' }]);
  });

  it('and a simultaneous acceptance close a review once', async () => {
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

describe('a merge', () => {
  it.each<[string, (before: number, after: number) => TwoPersons]>([
    ['its person is merged into the other', (before, after) => ({ from: after, into: before })],
    ['the other is merged into its person', (before, after) => ({ from: before, into: after })],
  ])('closes a review when %s', async (_how, personsOf) => {
    const { before, gift } = await changedName();
    await merge(personsOf(before, gift.PeopleId));
    expect(await closing(gift.ContributionId)).toEqual({ by: 'command line', through: 'merge' });
    expect(await audited(gift.ContributionId)).toMatchObject([
      { action: 'review.close', details: { contributionId: gift.ContributionId, through: 'merge' } },
    ]);
  });

  it('closes a review once all persons that it names are merged', async () => {
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

  it('closes a review of several matches, even if an earlier version listed it', async () => {
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

  it('leaves a review open for an unrelated person or while another reason is open', async () => {
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

it('the history of a gift shows merges, reassignments and the reversal in chronological order', async () => {
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

describe('a move to another fund', () => {
  /** A gift in a closed fund, with more reasons for its review. */
  async function inClosedFund(...more: readonly string[]): Promise<Added> {
    const gift = await added(giver());
    const fundId = await newFund(service, `Closed ${gift.ContributionId}`);
    await service.database.query('UPDATE contribution SET fund_id = $2 WHERE id = $1', [gift.ContributionId, fundId]);
    await service.database.query('UPDATE fund SET is_open = false WHERE id = $1', [fundId]);
    await service.database.query('INSERT INTO review (contribution_id, reasons) VALUES ($1, $2)', [
      gift.ContributionId,
      ['closed_fund', ...more],
    ]);
    return gift;
  }

  const move = async ({ ContributionId }: Added, FundId: number): Promise<void> => {
    await correct(service, finance, `${ContributionId}/move`, { FundId, Reason: 'Meant for another one' }).expect(200);
  };

  it('to an open one closes the review of a gift that was in a closed fund', async () => {
    const gift = await inClosedFund();
    await move(gift, 1);
    expect(await closing(gift.ContributionId)).toEqual({ by: 'treasurer', through: 'move' });
    expect(await audited(gift.ContributionId)).toEqual([
      {
        actor: 'treasurer',
        action: 'review.close',
        details: { contributionId: gift.ContributionId, through: 'move' },
      },
    ]);
  });

  it('leaves open what has another question, which a reversal or a merge can then settle', async () => {
    const gift = await inClosedFund('deceased');
    await move(gift, 1);
    expect(await closing(gift.ContributionId)).toEqual(OPEN);
    const { gift: renamed, before } = await changedName();
    await service.database.query(`UPDATE review SET reasons = reasons || '{closed_fund}' WHERE contribution_id = $1`, [
      renamed.ContributionId,
    ]);
    await merge({ from: before, into: renamed.PeopleId });
    // Its fund is open.
    expect(await closing(renamed.ContributionId)).toMatchObject({ through: 'merge' });
  });

  it('to a closed one leaves the review open, and so do reviews for other reasons', async () => {
    const gift = await inClosedFund();
    const closed = await newFund(service, `Also closed ${gift.ContributionId}`);
    await service.database.query('UPDATE fund SET is_open = false WHERE id = $1', [closed]);
    await move(gift, closed);
    expect(await closing(gift.ContributionId)).toEqual(OPEN);
    const [, equal] = await twoEqual();
    await move(equal, await newFund(service, `Roof ${gift.ContributionId}`));
    expect(await closing(equal.ContributionId)).toEqual(OPEN);
  });
});
