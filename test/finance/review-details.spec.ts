import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MEANING_OF_REASONS, REVIEW_REASONS } from '../../src/contributions/reviews/index.js';
import { type Login, startTestApp, type TestApp } from '../support/test-app.js';
import { postAs } from './finance-calls.js';
import { addedGift, type Problem, readBack, refusal } from '../contract/gift-requests.js';
import { email, giver, letters, phone } from '../contract/givers.js';
import { openReview, type Review } from './review-requests.js';

let service: TestApp;
let finance: Login;
let deputy: Login;

beforeAll(async () => {
  service = await startTestApp();
  finance = await service.createUser('treasurer', 'some long password', ['Finance']);
  deputy = await service.createUser('deputy', 'some long password', ['Finance']);
});
afterAll(() => service.stop());

interface Compared {
  readonly person: { readonly peopleId: number; readonly version: string };
  readonly agrees: readonly string[];
}

interface Details extends Review {
  readonly reasonsInWords: readonly object[];
  readonly gift: { readonly contributionId: number };
  readonly giver: Compared;
  readonly others: readonly Compared[];
  readonly similarGifts: readonly { readonly gift: object; readonly agrees: readonly string[] }[];
  readonly next: number | null;
}

const show = async (id: number): Promise<Details> =>
  (await service.get(`Reviews/${id}`, finance).expect(200)).body as Details;

/** The review of a gift, which must be listed. */
async function reviewOf(contributionId: number): Promise<Details> {
  return show((await openReview(service, finance, contributionId)).reviewId);
}

/** A gift of a new person who has the e-mail and the last name of another one. */
async function similarGift(): Promise<{ known: number; created: number; gift: number }> {
  const sent = giver();
  const { PeopleId: known } = await addedGift(service, sent);
  const other = { ...sent, First: `Other${letters()}`, Phone: phone(), Amount: '11' };
  const { PeopleId: created, ContributionId: gift } = await addedGift(service, other);
  return { known, created, gift };
}

describe('a review', () => {
  it('shows both persons with what agrees with the gift, the reason in words, and the gift', async () => {
    const { known, created, gift } = await similarGift();
    const review = await reviewOf(gift);
    expect(review).toMatchObject({
      reasons: ['similar_person'],
      reasonsInWords: [{ reason: 'similar_person', meaning: MEANING_OF_REASONS.similar_person }],
      giver: { person: { peopleId: created }, agrees: ['lastName', 'firstName', 'email', 'phone'] },
      others: [{ person: { peopleId: known }, agrees: ['lastName', 'email'] }],
      similarGifts: [],
      ...{ closedAt: null, closedBy: null, closedThrough: null },
    });
    expect(review.gift).toEqual(await readBack(service, gift));
  });

  it('compares names and contacts as matching does: nickname, short form, notation, unconfirmed contacts', async () => {
    const sent = giver({ First: 'Thomas', Phone: phone() });
    const { PeopleId: known } = await addedGift(service, sent);
    const Email = email();
    await addedGift(service, { ...sent, Email });
    // A short form needs both contacts, so this becomes a new person.
    const gift = await addedGift(service, { ...sent, First: 'Tom', Email, Phone: `+1 ${sent.Phone}` });
    expect(gift.NewPerson).toBe(true);
    const review = await reviewOf(gift.ContributionId);
    expect(review.others).toMatchObject([
      { person: { peopleId: known }, agrees: ['lastName', 'shortForm', 'email', 'phone'] },
    ]);
  });

  it('shows both gifts with what agrees', async () => {
    const sent = { ...giver(), Amount: '12.50', Method: 'check', CheckNumber: '1042' };
    const first = await addedGift(service, { ...sent, Source: 'one' });
    const second = await addedGift(service, {
      ...sent,
      Source: 'two',
      CheckNumber: '1043',
      Email: sent.Email.toUpperCase(),
    });
    const review = await reviewOf(second.ContributionId);
    expect(review).toMatchObject({
      reasons: ['possible_duplicate'],
      similarGifts: [
        {
          gift: { contributionId: first.ContributionId, amount: '12.50' },
          agrees: ['amount', 'day', 'fund', 'method', 'lastName', 'firstName', 'email', 'phone'],
        },
      ],
    });
  });

  it('names the next open review: the one after it, and after the last one the first; none is null', async () => {
    const open = async (): Promise<number[]> =>
      ((await service.get('Reviews', finance).expect(200)).body as { reviews: Review[] }).reviews.map(
        (one) => one.reviewId,
      );
    const gifts = [await similarGift(), await similarGift()];
    const ids = await open();
    expect(ids.length).toBeGreaterThanOrEqual(gifts.length);
    for (const [i, id] of ids.entries()) expect((await show(id)).next).toBe(ids[(i + 1) % ids.length]);
    const [last = 0, ...others] = [...ids].reverse();
    for (const id of others) await postAs(service, finance, `Reviews/${id}/accept`).expect(200);
    expect((await show(last)).next).toBeNull();
    expect(await show(others[0] ?? 0)).toMatchObject({
      ...{ closedBy: 'treasurer', closedThrough: 'accept', closedAt: expect.any(String), next: last },
    });
  });

  it('leaves an entry of its reading, with all persons', async () => {
    const { known, created, gift } = await similarGift();
    const { reviewId } = await reviewOf(gift);
    const [entry] = await service.database.query(
      `SELECT actor, details FROM audit_entry WHERE action = 'review.read' AND subject = $1`,
      [`review ${reviewId}`],
    );
    expect(entry).toEqual({ actor: 'treasurer', details: { people: 2, peopleIds: [created, known] } });
  });

  it('that does not exist is not found', async () => {
    const answer = await service.get('Reviews/2000000001', finance).expect(404);
    expect((answer.body as Problem).code).toBe('review_not_found');
  });

  it.each(REVIEW_REASONS)('has a sentence for the reason %s', (reason) => {
    expect(MEANING_OF_REASONS[reason]).toMatch(/^[A-Z].*\.$/);
  });
});

describe('a decision', () => {
  it('to give the gift to the other person closes the review', async () => {
    const { known, created, gift } = await similarGift();
    const { reviewId } = await reviewOf(gift);
    const body = { PeopleId: known, FromPeopleId: created };
    await postAs(service, finance, `Contributions/${gift}/reassign`, body).expect(200);
    expect(await show(reviewId)).toMatchObject({ peopleId: known, closedThrough: 'reassignment' });
  });

  it('to merge both persons closes the review', async () => {
    const { known, created, gift } = await similarGift();
    const { reviewId, giver: own, others } = await reviewOf(gift);
    const body = { Into: known, Version: own.person.version, IntoVersion: others[0]?.person.version };
    await postAs(service, finance, `People/${created}/merge`, body).expect(200);
    expect(await show(reviewId)).toMatchObject({ peopleId: known, others: [], closedThrough: 'merge' });
  });

  it('to take the gift back closes the review', async () => {
    const { gift } = await similarGift();
    const { reviewId } = await reviewOf(gift);
    await postAs(service, finance, `Contributions/${gift}/reverse`, { Reason: 'duplicate' }).expect(200);
    expect(await show(reviewId)).toMatchObject({ closedThrough: 'reversal', gift: { status: 'Reversed' } });
  });

  it('of two users at the same time is made once; the other one is told whose the gift is now', async () => {
    const { known, created, gift } = await similarGift();
    const { PeopleId: third } = await addedGift(service, giver());
    const answers = await Promise.all(
      [known, third].map((PeopleId, i) =>
        postAs(service, i === 0 ? finance : deputy, `Contributions/${gift}/reassign`, {
          PeopleId,
          FromPeopleId: created,
        }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const now = (await readBack(service, gift)).peopleId;
    const loser = answers.find(({ status }) => status === 409)?.body as Problem;
    expect(loser).toMatchObject({ code: 'giver_changed', current: { contributionId: gift, peopleId: now } });
  });

  it('for a person that was merged meanwhile counts for the survivor, and a repeated one has no effect', async () => {
    const { known, created, gift } = await similarGift();
    const [from, into] = await Promise.all(
      [created, known].map(async (id) => (await service.get(`People/${id}`, finance)).body as Compared['person']),
    );
    const { PeopleId: third } = await addedGift(service, giver());
    const seen = { Into: known, Version: from?.version, IntoVersion: into?.version };
    await postAs(service, deputy, `People/${created}/merge`, seen).expect(200);
    const body = { PeopleId: third, FromPeopleId: created };
    for (let i = 0; i < 2; i++) {
      const answer = await postAs(service, finance, `Contributions/${gift}/reassign`, body).expect(200);
      expect(answer.body).toMatchObject({ toPeopleId: third });
    }
    const wrong = { PeopleId: known, FromPeopleId: known };
    await refusal(
      service,
      () => postAs(service, finance, `Contributions/${gift}/reassign`, wrong),
      409,
      'giver_changed',
    );
  });
});
