import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type supertest from 'supertest';
import { addedGift, readBack } from '../contract/gift-requests.js';
import { openReview } from '../finance/review-requests.js';
import { type ConsoleVisitor, newVisitor, textOf } from '../support/console.js';
import { type Login, startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
let login: Login;
let visitor: ConsoleVisitor;

beforeAll(async () => {
  service = await startTestApp();
  ({ login, visitor } = await newVisitor(service));
});
afterAll(() => service.stop());

interface Reading {
  readonly action: string;
  readonly subject: string;
  readonly ids: readonly number[];
}

/** The readings of personal data that a request leaves in the audit trail. */
async function readingsOf(request: () => supertest.Test, status: number): Promise<Reading[]> {
  const select = `
    SELECT id, action, subject, details -> 'peopleIds' AS ids FROM audit_entry
    WHERE actor = $1 AND details ? 'peopleIds' AND id > $2 ORDER BY id`;
  const last = await service.database.query<{ id: number }>('SELECT max(id) AS id FROM audit_entry');
  await request().expect(status);
  const rows = await service.database.query<Reading & { id: number }>(select, [login[0], last[0]?.id ?? 0]);
  return rows.map(({ action, subject, ids }) => ({ action, subject, ids }));
}

describe('a request for a page leaves one entry', () => {
  it('for a gift, and none for an entry that leads to its gift', async () => {
    const { ContributionId: id, PeopleId } = await addedGift(service, {});
    await service.reverse(`${id}/bank`).expect(200);
    const [entry] = await service.database.query<{ id: number }>('SELECT id FROM contribution WHERE reverses_id = $1', [
      id,
    ]);
    const read = { action: 'contribution.read', subject: `contribution ${id}`, ids: [PeopleId] };
    expect(await readingsOf(() => visitor.get(`/console/gifts/${id}`), 200)).toEqual([read]);
    expect(await readingsOf(() => visitor.get(`/console/gifts/${entry?.id}`), 303)).toEqual([]);
  });

  it('for the search for another giver, also when the gift was not given, and the search stays', async () => {
    const { ContributionId: id, PeopleId: giver } = await addedGift(service, {});
    const { PeopleId: found } = await addedGift(service, { First: 'Sigrid', Last: 'Searchable' });
    const read = { action: 'contribution.read', subject: `contribution ${id}`, ids: [giver, found] };
    const path = `/console/gifts/${id}/giver`;
    expect(await readingsOf(() => visitor.get(`${path}?q=sigrid`), 200)).toEqual([read]);
    const stale = { PeopleId: String(found), FromPeopleId: '2000000000', q: 'sigrid' };
    expect(await readingsOf(() => visitor.post(path, stale), 409)).toEqual([read]);
    const { text } = await visitor.post(path, stale).expect(409);
    expect(text).toContain('value="sigrid"');
    expect(textOf(text)).toContain('It is from Sigrid Searchable');
  });

  it('for the search for another record of a person', async () => {
    const { PeopleId: one } = await addedGift(service, {});
    const { PeopleId: found } = await addedGift(service, { First: 'Torben', Last: 'Twinned' });
    const read = { action: 'person.read', subject: `person ${one}`, ids: expect.arrayContaining([one, found]) };
    expect(await readingsOf(() => visitor.get(`/console/people/${one}/merge?q=torben`), 200)).toEqual([read]);
  });

  it('for a bundle, which it names', async () => {
    const { ContributionId: id } = await addedGift(service, { BundleTypeId: 20 });
    const { bundleId, peopleId } = await readBack(service, id);
    expect(await readingsOf(() => visitor.get(`/console/bundles/${bundleId}`), 200)).toEqual([
      { action: 'contribution.list', subject: `bundle ${bundleId}`, ids: [peopleId] },
    ]);
  });

  it('for a person who was changed by somebody else', async () => {
    const { PeopleId: one } = await addedGift(service, {});
    const { PeopleId: other } = await addedGift(service, {});
    const edit = { Version: 'old', First: 'Else', Last: 'Changed' };
    expect(await readingsOf(() => visitor.post(`/console/people/${one}/edit`, edit), 409)).toEqual([
      { action: 'person.read', subject: `person ${one}`, ids: [one] },
    ]);
    const merge = { Version: 'old', IntoVersion: 'old' };
    expect(await readingsOf(() => visitor.post(`/console/people/${one}/merge/${other}`, merge), 409)).toEqual([
      { action: 'person.read', subject: `person ${one}`, ids: [one, other] },
    ]);
  });

  it('for a review, and for one that somebody else has changed', async () => {
    const details = { First: 'Rolf', Last: 'Reviewed', Email: 'rolf@example.org', Phone: '901-555-0177' };
    await addedGift(service, details);
    const { ContributionId: id, PeopleId } = await addedGift(service, details);
    const { reviewId } = await openReview(service, login, id);
    const read = { action: 'review.read', subject: `review ${reviewId}`, ids: [PeopleId] };
    expect(await readingsOf(() => visitor.get(`/console/reviews/${reviewId}`), 200)).toEqual([read]);
    const stale = { PeopleId: '2000000000' };
    expect(await readingsOf(() => visitor.post(`/console/reviews/${reviewId}/accept`, stale), 409)).toEqual([read]);
  });
});

it('the search for a person to choose leads to further people', async () => {
  const { ContributionId: id, PeopleId: one } = await addedGift(service, {});
  for (let count = 0; count < 21; count++) {
    await addedGift(service, {
      First: `Nth${count}`,
      Last: 'Further',
      Email: `further${count}@example.org`,
      Phone: 'n/a',
    });
  }
  for (const path of [`/console/gifts/${id}/giver`, `/console/people/${one}/merge`]) {
    const { text } = await visitor.get(`${path}?q=further`).expect(200);
    const next = /href="[./]*(\/console[^"]*after=[\d.]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const later = textOf((await visitor.get(next).expect(200)).text);
    expect(later).toContain('First page');
    expect(new Set(later.match(/Further, person \d+/g)).size).toBe(1);
  }
});
