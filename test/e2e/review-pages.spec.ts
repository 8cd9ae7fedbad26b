import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { giver } from '../contract/givers.js';
import { addedGift, readBack } from '../contract/gift-requests.js';
import { correct, newFund, takenFrom } from '../contract/reversal-requests.js';
import { openReview, type Review } from '../finance/review-requests.js';
import { type ConsoleVisitor, hiddenFieldsOf, logInToConsole, mainOf, textOf } from '../support/console.js';
import { type Login, startTestApp, type TestApp } from '../support/test-app.js';

const PASSWORD = 'correct horse battery';

let service: TestApp;
let login: Login;
let finance: ConsoleVisitor;
let auditor: ConsoleVisitor;

beforeAll(async () => {
  service = await startTestApp();
  login = await service.createUser('treasurer', PASSWORD, ['Finance']);
  finance = await logInToConsole(service, login);
  auditor = await logInToConsole(service, await service.createUser('auditor', PASSWORD, ['Auditor']));
});
afterAll(() => service.stop());

const page = async (visitor: ConsoleVisitor, path: string): Promise<string> =>
  mainOf((await visitor.get(path).expect(200)).text);

const openOf = (contributionId: number): Promise<Review> => openReview(service, login, contributionId);

/** A gift of a new person who resembles an earlier one, with its review. */
async function similarGiver(): Promise<Review & { readonly other: number }> {
  const details = giver();
  const { PeopleId: other } = await addedGift(service, details);
  const { ContributionId } = await addedGift(service, { ...details, First: `${details.First}zz`, Amount: '25' });
  return { ...(await openOf(ContributionId)), other };
}

/** The second of two equal gifts, with its review. */
async function sentTwice(): Promise<Review> {
  const details = { ...giver(), Amount: '30' };
  await addedGift(service, details);
  return openOf((await addedGift(service, details)).ContributionId);
}

const isOpen = async (reviewId: number): Promise<boolean> =>
  (await service.database.query('SELECT FROM review WHERE id = $1 AND accepted_at IS NULL', [reviewId])).length === 1;

const entriesOf = (action: string, subject: string): Promise<unknown> =>
  service.database.query('SELECT actor, via FROM audit_entry WHERE action = $1 AND subject = $2', [action, subject]);

const ON_PAGE = [{ actor: 'treasurer', via: 'page' }];

it('the list says when there is nothing to review', async () => {
  expect(await page(finance, '/console/reviews')).toContain('Nothing left to review.');
});

describe('a review', () => {
  it('is listed with giver, amount, day, fund, its reason in words, and time', async () => {
    const { reviewId } = await sentTwice();
    const text = await page(auditor, '/console/reviews');
    expect(textOf(text)).toContain('1 open review');
    const row = text.split('<tr>').find((one) => one.includes(`/${reviewId}"`));
    expect(row).toContain('The gift may have been sent twice.');
    expect(row).toMatch(/data-header="Amount"><span class="amount">30\.00/);
    expect(row).toContain('data-header="Fund"><span>General');
    expect(row).toContain('data-header="Day"><time datetime=');
    expect(row).toMatch(/data-header="Giver"><span><a[^>]*>Ann\w* Lee\w*<\/a>/);
    expect(row).toMatch(/Like gift \d+/);
  });

  it('is marked in the list of gifts until it is decided', async () => {
    const { reviewId, contributionId } = await sentTwice();
    const path = `/console/gifts?q=${contributionId}`;
    expect(await page(auditor, path)).toContain(`console/reviews/${reviewId}">In review<`);
    await finance.post(`/console/reviews/${reviewId}/accept`).expect(303);
    expect(await page(auditor, path)).not.toContain('In review');
  });

  it('is listed with the names of those who may be meant', async () => {
    const { reviewId, other } = await similarGiver();
    const row = (await page(auditor, '/console/reviews')).split('<tr>').find((one) => one.includes(`/${reviewId}"`));
    expect(row).toMatch(new RegExp(`May also be Ann\\w* Lee\\w*, person ${other}<`));
  });

  it('has both persons and both gifts side by side, and marks what differs', async () => {
    const { reviewId, peopleId, other } = await similarGiver();
    const text = await page(finance, `/console/reviews/${reviewId}`);
    expect(text).toMatch(/<h1>Review: USD 25\.00 from Ann\w*zz Lee\w*<\/h1>/);
    expect(text).toMatch(new RegExp(`>Ann\\w*zz Lee\\w*, person ${peopleId}, who has the gift<`));
    expect(text).toMatch(new RegExp(`>Ann\\w* Lee\\w*, person ${other}, who may be meant<`));
    expect(textOf(text)).toMatch(new RegExp(`It is from Ann\\w* Lee\\w*, person ${other} Same person: merge with Ann`));
    expect(textOf(text)).toMatch(/Last name Lee\w+ Lee\w+ ✓ agrees Lee\w+ ✓ agrees/);
    expect(text).toMatch(/<strong class="differs">Ann\w*<\/strong> <small>differs/);
    const twice = await sentTwice();
    const gifts = await page(finance, `/console/reviews/${twice.reviewId}`);
    expect(gifts).toContain('Is it the same gift?');
    expect(textOf(gifts)).toMatch(/Amount 30\.00 30\.00 ✓ agrees Day .* Recorded /);
    expect(gifts.indexOf('Is it the same gift?')).toBeLessThan(gifts.indexOf('Who gave it?'));
    expect(await entriesOf('review.read', `review ${twice.reviewId}`)).toEqual(ON_PAGE);
  });

  it('is closed because the gift is right, and the next one follows with what was done', async () => {
    const { reviewId, contributionId } = await sentTwice();
    const next = await sentTwice();
    const { headers } = await finance.post(`/console/reviews/${reviewId}/accept`).expect(303);
    expect(headers['location']).toMatch(
      new RegExp(
        `console/reviews/${next.reviewId}\\?flash=Done\\+with\\+the\\+previous\\+review%3A\\+Gift\\+${contributionId}\\+is`,
      ),
    );
    expect(await isOpen(reviewId)).toBe(false);
    expect(await entriesOf('review.accept', `review ${reviewId}`)).toEqual(ON_PAGE);
    expect(await page(finance, `/console/reviews/${reviewId}`)).toContain('by treasurer: the gift was kept as it is.');
  });

  it('shows what is left of each gift, and the fund in which it is now', async () => {
    const { reviewId, contributionId } = await sentTwice();
    const attic = await newFund(service, 'Attic');
    await service.reverse(`${contributionId}/bank?amount=10`).expect(200);
    await correct(service, login, `${contributionId}/move`, { FundId: attic, Reason: 'x' }).expect(200);
    const text = textOf(await page(finance, `/console/reviews/${reviewId}`));
    expect(text).toMatch(/Left 20\.00/);
    expect(text).toContain('General, now in Attic');
    const answer = await service.get(`Reviews/${reviewId}`, login).expect(200);
    expect(answer.body).toMatchObject({ left: '20.00', fundNow: attic, gift: { fundId: 1 } });
  });

  it('stays open if its person or its reasons are others than were seen', async () => {
    const { reviewId, contributionId, peopleId, reasons } = await sentTwice();
    const seen = hiddenFieldsOf(await page(finance, `/console/reviews/${reviewId}`));
    expect(seen).toMatchObject({ PeopleId: String(peopleId), Reasons: reasons[0] });
    await service.database.query(`UPDATE review SET reasons = reasons || '{deceased}' WHERE id = $1`, [reviewId]);
    const { text } = await finance.post(`/console/reviews/${reviewId}/accept`, seen).expect(409);
    expect(text).toContain('look at it again. It was not closed.');
    expect(text).toContain('The person is marked as deceased.');
    const onGift = { ...seen, ReviewId: String(reviewId) };
    const gift = await finance.post(`/console/gifts/${contributionId}/accept`, onGift).expect(409);
    expect(gift.text).toContain('The gift is shown as it is now.');
    expect(await isOpen(reviewId)).toBe(true);
  });

  it('is decided by giving the gift to the other person', async () => {
    const { reviewId, contributionId, peopleId, other } = await similarGiver();
    const fields = { PeopleId: String(other), FromPeopleId: String(peopleId) };
    await finance.post(`/console/reviews/${reviewId}/give`, fields).expect(303);
    expect((await readBack(service, contributionId)).peopleId).toBe(other);
    expect(await entriesOf('contribution.reassign', `contribution ${contributionId}`)).toEqual(ON_PAGE);
    expect(await isOpen(reviewId)).toBe(false);
  });

  it('shows how it is now if somebody else was faster, and gives nothing away', async () => {
    const { reviewId, contributionId, peopleId, other } = await similarGiver();
    const { PeopleId: third } = await addedGift(service, {});
    const give = (to: number, from: number) =>
      finance.post(`/console/reviews/${reviewId}/give`, { PeopleId: String(to), FromPeopleId: String(from) });
    await give(other, peopleId).expect(303);
    const { text } = await give(third, peopleId).expect(409);
    expect(text).toContain(`Gift ${contributionId} belongs to person ${other} now. Nothing was changed.`);
    expect(text).toContain('Nothing is left to decide.');
    expect((await readBack(service, contributionId)).peopleId).toBe(other);
    await give(0, peopleId).expect(400);
  });

  it('is decided by a merge, after both persons were shown with what moves', async () => {
    const { reviewId, peopleId, other } = await similarGiver();
    const path = `/console/reviews/${reviewId}/merge`;
    const text = await page(finance, `${path}?other=${other}`);
    expect(text).toMatch(/<h1>Merge Ann\w*zz Lee\w* into Ann\w* Lee\w*\?<\/h1>/);
    expect(text).toMatch(new RegExp(`Merge into Ann\\w* Lee\\w*, person ${other}, permanently`));
    expect(text).toContain('gets 1 gift of USD 25.00.');
    const swapped = await page(finance, `${path}?other=${other}&keep=${peopleId}`);
    expect(swapped).toMatch(new RegExp(`Merge into Ann\\w*zz Lee\\w*, person ${peopleId}, permanently`));
    const fields = Object.fromEntries(
      [...text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    ) as Record<string, string>;
    const stale = await finance.post(path, { ...fields, Version: 'another' }).expect(409);
    expect(textOf(stale.text)).toContain('permanently Cancel');
    await finance.post(path, fields).expect(303);
    const [row] = await service.database.query('SELECT merged_into FROM person WHERE id = $1', [peopleId]);
    expect(row).toEqual({ merged_into: other });
    expect(await isOpen(reviewId)).toBe(false);
    expect(await entriesOf('person.merge', `person ${peopleId}`)).toEqual(ON_PAGE);
    await finance.post(path, {}).expect(303);
    await finance.get(path).expect(400);
  });

  it('is decided by taking the gift back on its page, once, and leads to the next review', async () => {
    const { reviewId, contributionId } = await sentTwice();
    const next = await sentTwice();
    const path = `/console/gifts/${contributionId}/take-back`;
    expect(await page(finance, `/console/reviews/${reviewId}`)).toContain(`${path}?Review=${reviewId}"`);
    const form = await page(finance, `${path}?Review=${reviewId}`);
    expect(form).toContain('<option value="duplicate" selected');
    expect(form).toContain('Back to the review');
    const Review = String(reviewId);
    const { text: refused } = await finance.post(path, { Review, Amount: '31', Reason: 'duplicate' }).expect(422);
    expect(hiddenFieldsOf(refused)).toEqual({ Review });
    const { text } = await finance
      .post(path, { Review, HowMuch: 'all', Reason: 'duplicate', Note: 'Sent twice' })
      .expect(200);
    const fields = hiddenFieldsOf(text);
    expect(fields).toMatchObject({ Review, Amount: '30.00', Left: '30.00', Note: 'Sent twice' });
    for (const sent of ['once', 'again']) {
      const { headers } = await finance.post(`${path}/confirm?${sent}`, fields).expect(303);
      expect(headers['location']).toMatch(
        new RegExp(`console/reviews/${next.reviewId}\\?flash=Done[^&]*%3A\\+USD\\+30.00\\+of`),
      );
    }
    expect(await takenFrom(service, contributionId)).toEqual([[contributionId, 1, '-30.00']]);
    expect(await isOpen(reviewId)).toBe(false);
    await finance.post(`${path}/confirm`, { ...fields, Key: 'another' }).expect(409);
  });

  it('is decided by giving the gift to somebody whom it does not name, and leads to the next review', async () => {
    const { reviewId, contributionId, peopleId } = await sentTwice();
    const next = await sentTwice();
    const { PeopleId: right } = await addedGift(service, { First: 'Rita', Last: `Right${reviewId}` });
    const path = `/console/gifts/${contributionId}/giver`;
    const review = await page(finance, `/console/reviews/${reviewId}`);
    expect(review).toMatch(
      new RegExp(`${path}\\?Review=${reviewId}" class="button" data-hotkey="2">It is from another person`),
    );
    const text = await page(finance, `${path}?Review=${reviewId}&q=right${reviewId}`);
    expect(textOf(text)).toContain(`It is from Rita Right${reviewId}`);
    expect(text).toContain('Back to the review');
    const sent = { PeopleId: String(right), FromPeopleId: String(peopleId), Review: String(reviewId) };
    expect(hiddenFieldsOf(text)).toMatchObject(sent);
    const late = await finance.post(path, { ...sent, FromPeopleId: String(right) }).expect(409);
    expect(hiddenFieldsOf(late.text)).toEqual({ Review: String(reviewId) });
    const { headers } = await finance.post(path, sent).expect(303);
    expect(headers['location']).toMatch(
      new RegExp(`console/reviews/${next.reviewId}\\?flash=Done[^&]*%3A\\+Gift\\+${contributionId}`),
    );
    expect((await readBack(service, contributionId)).peopleId).toBe(right);
    expect(await isOpen(reviewId)).toBe(false);
  });

  it('offers to take the gift back while something is left of its payment, with what was reinstated', async () => {
    const { reviewId, contributionId } = await sentTwice();
    const reopen = 'UPDATE review SET accepted_at = NULL, accepted_by = NULL, closed_through = NULL WHERE id = $1';
    await service.reverse(`${contributionId}/bank`).expect(200);
    await service.database.query(reopen, [reviewId]);
    expect(await page(finance, `/console/reviews/${reviewId}`)).not.toContain('Take back the gift');
    await correct(service, login, `${contributionId}/reinstate`).expect(200);
    expect(await page(finance, `/console/reviews/${reviewId}`)).toContain('Take back the gift');
    const answer = await service.get(`Reviews/${reviewId}`, login).expect(200);
    expect(answer.body).toMatchObject({ left: '30.00', gift: { status: 'Reversed' } });
  });

  it('of a gift in a closed fund is decided by moving it, and leads to the next review', async () => {
    const { reviewId, contributionId } = await sentTwice();
    const next = await sentTwice();
    const path = `/console/gifts/${contributionId}/fund`;
    expect(await page(finance, `/console/reviews/${reviewId}`)).not.toContain('Move to another fund');
    await service.database.query(`UPDATE review SET reasons = '{closed_fund}' WHERE id = $1`, [reviewId]);
    const review = await page(finance, `/console/reviews/${reviewId}`);
    expect(review).toMatch(
      new RegExp(`${path}\\?Review=${reviewId}" class="button" data-hotkey="2">Move to another fund`),
    );
    expect(review).not.toContain('Who gave it?');
    const form = await page(finance, `${path}?Review=${reviewId}`);
    expect(form).toContain('Back to the review');
    const fields = {
      ...hiddenFieldsOf(form),
      FundId: String(await newFund(service, 'Porch')),
      Reason: 'For the porch',
    };
    expect(fields).toMatchObject({ Review: String(reviewId) });
    const refused = await finance.post(path, { ...fields, Reason: '' }).expect(400);
    expect(hiddenFieldsOf(refused.text)).toMatchObject({ Review: String(reviewId) });
    const { headers } = await finance.post(path, fields).expect(303);
    expect(headers['location']).toMatch(
      new RegExp(`console/reviews/${next.reviewId}\\?flash=Done[^&]*%3A\\+USD\\+30.00\\+of`),
    );
    expect(await page(finance, `/console/reviews/${reviewId}`)).toContain('the gift was moved to another fund.');
  });

  it('has keys in the order of its buttons', async () => {
    const { reviewId } = await similarGiver();
    const text = await page(finance, `/console/reviews/${reviewId}`);
    const decisions = /<section class="decisions".*?<\/section>/s.exec(text)?.[0] ?? '';
    expect([...decisions.matchAll(/data-hotkey="(\d)">([^<…]*)/g)].map(([, key, label = '']) => [key, label])).toEqual([
      ['1', 'Keep as it is'],
      ['2', expect.stringMatching(/^It is from Ann/)],
      ['3', expect.stringMatching(/^Same person: merge with Ann/)],
      ['4', 'It is from somebody else'],
      ['5', 'Take back the gift'],
    ]);
  });

  it('of another gift is not left by taking this one back', async () => {
    const { reviewId } = await sentTwice();
    const { ContributionId: other } = await addedGift(service, { Amount: '5' });
    const path = `/console/gifts/${other}/take-back?Review=${reviewId}`;
    expect(await page(finance, path)).toContain('Back to the gift');
  });

  it('is not found', async () => {
    for (const path of ['', '/merge?other=1'])
      expect((await finance.get(`/console/reviews/9999${path}`).expect(404)).text).toContain(
        'There is no review 9999.',
      );
    await finance.post('/console/reviews/9999/accept').expect(404);
  });
});

it('auditors see reviews without decisions, and decide nothing', async () => {
  const { reviewId, peopleId, other } = await similarGiver();
  const path = `/console/reviews/${reviewId}`;
  expect(await page(auditor, path)).not.toMatch(/<form|Keep as it is|Take back the gift/);
  await auditor.get(`${path}/merge?other=${other}`).expect(403);
  await auditor.post(`${path}/accept`).expect(403);
  await auditor.post(`${path}/give`, { PeopleId: String(other), FromPeopleId: String(peopleId) }).expect(403);
  await auditor.post(`${path}/merge`).expect(403);
  expect(await isOpen(reviewId)).toBe(true);
});
