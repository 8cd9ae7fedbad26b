import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type supertest from 'supertest';
import { MergePersons } from '../../src/people/merging/merge-persons.service.js';
import { type Login, ROLES, startTestApp, type TestApp } from '../support/test-app.js';
import { type Added, addedGift, readBack, refusal, rowCounts, sendGift } from './gift-requests.js';
import { addUnder, completeGift, first, firstGift, newKey, replay, reverseUnder } from './repeated-requests.js';

const PASSWORD = 'correct horse battery';

let service: TestApp;
/** Another processor. */
let other: Login;

beforeAll(async () => {
  service = await startTestApp();
  other = await service.createUser('other', PASSWORD, ROLES);
});
afterAll(() => service.stop());

const newGift = async (): Promise<number> => (await addedGift(service, {})).ContributionId;

const age = (key: string, interval: string): Promise<unknown> =>
  service.database.query('UPDATE idempotency_key SET created_at = created_at - $2::interval WHERE key = $1', [
    key,
    interval,
  ]);

describe('the same request under the same key', () => {
  it('gets the first answer every time and records one gift', async () => {
    const [key, sent] = [newKey(), completeGift({ Source: 'txt2give', Notes: 'n' })];
    const answer = await first(addUnder(service, key, sent));
    for (let i = 0; i < 3; i++) await replay(service, () => addUnder(service, key, sent), answer);
  });

  it('makes one reversal', async () => {
    const [key, gift] = [newKey(), await newGift()];
    const answer = await first(reverseUnder(service, key, `${gift}/a%20b`));
    await replay(service, () => reverseUnder(service, key, `${gift}/%61%20b`), answer);
    await refusal(service, () => reverseUnder(service, newKey(), `${gift}/a%20b`), 409, 'already_reversed');
  });

  it('gets the first answer after the gift was reversed, its person merged and the gift reassigned', async () => {
    const [key, sent] = [newKey(), completeGift()];
    const answer = await first(addUnder(service, key, sent));
    const { ContributionId, PeopleId } = answer.body as Added;
    const into = (await addedGift(service, {})).PeopleId;
    await service.app.get(MergePersons, { strict: false }).merge(PeopleId, into);
    await replay(service, () => addUnder(service, key, sent), answer);

    const finance = await service.createUser('treasurer', PASSWORD, ['Finance']);
    const elsewhere = (await addedGift(service, {})).PeopleId;
    const reassign = service.http().post(`/Api/Contributions/${ContributionId}/reassign`);
    await reassign
      .auth(...finance)
      .send({ PeopleId: elsewhere })
      .expect(200);
    expect((await readBack(service, ContributionId)).peopleId).toBe(elsewhere);
    await replay(service, () => addUnder(service, key, sent), answer);

    const reversal = await first(reverseUnder(service, key, `${ContributionId}/a`));
    await replay(service, () => addUnder(service, key, sent), answer);
    await replay(service, () => reverseUnder(service, key, `${ContributionId}/a`), reversal);
  });

  it('records another gift without a key', async () => {
    const sent = completeGift();
    const gifts = [await firstGift(sendGift(service, sent)), await firstGift(sendGift(service, sent))];
    gifts.push(await firstGift(addUnder(service, newKey(), sent)), await firstGift(addUnder(service, newKey(), sent)));
    expect(new Set(gifts.map(({ ContributionId }) => ContributionId)).size).toBe(4);
    expect(new Set(gifts.map(({ PeopleId }) => PeopleId)).size).toBe(1);
  });
});

describe('a key', () => {
  it('is separate for each user', async () => {
    const [key, sent] = [newKey(), completeGift()];
    const answer = await first(addUnder(service, key, sent));
    const others = await first(addUnder(service, key, sent, other));
    expect((others.body as Added).ContributionId).not.toBe((answer.body as Added).ContributionId);
    await replay(service, () => addUnder(service, key, sent), answer);
    await replay(service, () => addUnder(service, key, sent, other), others);
  });

  it('is separate for each operation', async () => {
    const key = newKey();
    const { ContributionId } = await firstGift(addUnder(service, key, completeGift()));
    await first(reverseUnder(service, key, `${ContributionId}/a`));
  });

  it.each<[string, () => Promise<[string, string]>]>([
    ['another gift', async () => [`${await newGift()}/a`, `${await newGift()}/a`]],
    [
      'another source',
      async () => {
        const gift = await newGift();
        return [`${gift}/a`, `${gift}/b`];
      },
    ],
  ])('of a reversal cannot be reused for %s', async (_what, paths) => {
    const [key, [one, two]] = [newKey(), await paths()];
    const answer = await first(reverseUnder(service, key, one));
    await refusal(service, () => reverseUnder(service, key, two), 422, 'idempotency_key_reused');
    await replay(service, () => reverseUnder(service, key, one), answer);
  });

  it.each([
    ['29 days 23 hours 59 minutes', true],
    ['30 days 1 minute', false],
  ])('is kept after %s: %s', async (interval, kept) => {
    const [key, sent] = [newKey(), completeGift()];
    const answer = await first(addUnder(service, key, sent));
    await age(key, interval);
    if (kept) return replay(service, () => addUnder(service, key, sent), answer);
    const changed = { ...sent, Amount: '11' };
    const again = await first(addUnder(service, key, changed));
    await replay(service, () => addUnder(service, key, changed), again);
    await refusal(service, () => addUnder(service, key, sent), 422, 'idempotency_key_reused');
  });

  it('is not used up by a dry run, which never returns the stored answer', async () => {
    const [key, sent] = [newKey(), completeGift()];
    const dryRun = (): supertest.Test => service.http().post('/Api/AddContribution?dryRun=true');
    const ask = async (fields: object): Promise<unknown> => {
      const before = await rowCounts(service);
      const call = dryRun()
        .auth(...service.login)
        .set('Idempotency-Key', key);
      const answer = await first(call.send(fields));
      expect(await rowCounts(service)).toEqual(before);
      return answer.body as unknown;
    };
    expect(await ask(sent)).toMatchObject({ wouldCreate: true });
    const answer = await first(addUnder(service, key, sent));
    expect(await ask(sent)).toMatchObject({ wouldCreate: false, peopleId: (answer.body as Added).PeopleId });
    await replay(service, () => addUnder(service, key, sent), answer);
  });

  it('has no effect on a read-back', async () => {
    const id = await newGift();
    for (let i = 0; i < 2; i++) await first(service.read(id).set('Idempotency-Key', 'same'));
    await first(service.read(await newGift()).set('Idempotency-Key', 'same'));
  });
});
