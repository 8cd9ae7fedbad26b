import { afterAll, beforeAll, describe, it } from '@jest/globals';
import type supertest from 'supertest';
import { type Login, startTestApp, type TestApp } from '../support/test-app.js';
import { addedGift, readBack, refusal } from './gift-requests.js';
import { addUnder, completeGift, first, newKey, replay, reverseUnder } from './repeated-requests.js';

let service: TestApp;
/** A user without the role APIWrite. */
let reader: Login;

beforeAll(async () => {
  service = await startTestApp();
  reader = await service.createUser('reader', 'correct horse battery', ['Developer', 'APIOnly']);
});
afterAll(() => service.stop());

const newGift = async (): Promise<number> => (await addedGift(service, {})).ContributionId;

/** The id of a gift that is already reversed. */
async function reversedGift(): Promise<number> {
  const id = await newGift();
  await service.reverse(`${id}/first`).expect(200);
  return id;
}

describe('a key is not used up by', () => {
  const add = (key: string, fields: object): supertest.Test => addUnder(service, key, fields);
  const post = (key: string, type: string, body: string): supertest.Test =>
    addUnder(service, key, {}).set('Content-Type', type).send(body);

  it.each<[string, number, string, (key: string) => supertest.Test]>([
    ['an invalid field', 400, 'invalid_request', (key) => add(key, { Amount: 'x' })],
    ['a wrong password', 401, 'unauthenticated', (key) => addUnder(service, key, {}, ['api', 'wrong'])],
    ['a missing role', 403, 'forbidden', (key) => addUnder(service, key, {}, reader)],
    ['a wrong content type', 415, 'unsupported_media_type', (key) => post(key, 'text/plain', '{}')],
    ['an unknown fund', 422, 'fund_not_found', (key) => add(key, { FundId: 2000000001 })],
    ['an unknown person', 422, 'person_not_found', (key) => add(key, { PeopleId: 2000000001 })],
    ['no matching person', 422, 'unknown_person', (key) => add(key, { IgnoreUnknownPerson: true })],
    ['an unknown bundle type', 422, 'bundle_type_not_found', (key) => add(key, { BundleTypeId: 7 })],
    [
      'the type of reversing entries',
      422,
      'contribution_type_not_allowed',
      (key) => add(key, { ContributionTypeId: 7 }),
    ],
  ])('a refused gift: %s', async (_what, status, code, call) => {
    const key = newKey();
    await refusal(service, () => call(key), status, code);
    const sent = completeGift();
    const answer = await first(addUnder(service, key, sent));
    await replay(service, () => addUnder(service, key, sent), answer);
  });

  it.each<[string, number, string, () => Promise<string>]>([
    ['an unknown gift', 404, 'contribution_not_found', () => Promise.resolve('2000000001/a')],
    ['a malformed id', 400, 'invalid_request', () => Promise.resolve('1e1/a')],
    ['a blank source', 400, 'invalid_request', async () => `${await newGift()}/%20`],
    ['a reversed gift', 409, 'already_reversed', async () => `${await reversedGift()}/a`],
    [
      'a reversing entry',
      409,
      'not_reversible',
      async () => `${(await readBack(service, await reversedGift())).reversal.contributionId}/a`,
    ],
  ])('a refused reversal: %s', async (_what, status, code, path) => {
    const [key, refused] = [newKey(), await path()];
    await refusal(service, () => reverseUnder(service, key, refused), status, code);
    const gift = `${await newGift()}/a`;
    const answer = await first(reverseUnder(service, key, gift));
    await replay(service, () => reverseUnder(service, key, gift), answer);
  });

  it('an internal error', async () => {
    const [key, sent] = [newKey(), completeGift()];
    await service.database.query(`
      CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RAISE 'no more of these'; END$$;
      CREATE CONSTRAINT TRIGGER fail AFTER INSERT ON contribution DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION fail()`);
    try {
      await refusal(service, () => addUnder(service, key, sent), 500, 'internal_error');
    } finally {
      await service.database.query('DROP FUNCTION fail CASCADE');
    }
    await first(addUnder(service, key, sent));
  });
});
