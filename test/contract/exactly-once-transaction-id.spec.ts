import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type supertest from 'supertest';
import { MergePersons } from '../../src/people/merging/merge-persons.service.js';
import { type Login, ROLES, startTestApp, type TestApp } from '../support/test-app.js';
import { type Added, addedGift, type Problem, refusal, rowCounts, sendGift } from './gift-requests.js';
import { email, letters, phone } from './givers.js';
import { addUnder, completeGift, first, firstGift, newKey, replay } from './repeated-requests.js';

const PASSWORD = 'correct horse battery';

let service: TestApp;
let other: Login;

beforeAll(async () => {
  service = await startTestApp();
  other = await service.createUser('other', PASSWORD, ROLES);
});
afterAll(() => service.stop());

const add = (fields: object, login = service.login): supertest.Test => sendGift(service, fields).auth(...login);

/** A gift with a unique pair of Source and TransactionId. */
const withPair = (fields: object = {}): Record<string, unknown> =>
  completeGift({ Source: 'giveA', TransactionId: `t-${letters()}`, ...fields });

describe('the same pair of Source and TransactionId', () => {
  it.each<[string, (sent: object) => supertest.Test]>([
    ['without a key', (sent) => add(sent)],
    ['under a key', (sent) => addUnder(service, newKey(), sent)],
    ['in another notation', (sent) => add({ ...sent, Amount: 10, Source: ' giveA ', FundId: 0, Extra: 1 })],
  ])('gets the first answer for the same content, %s', async (_how, again) => {
    for (const send of [(sent: object) => add(sent), (sent: object) => addUnder(service, newKey(), sent)]) {
      const sent = withPair();
      const answer = await first(send(sent));
      await replay(service, () => again(sent), answer);
      await replay(service, () => again(sent), answer);
    }
  });

  it.each<[string, object]>([
    ['another amount', { Amount: '10.01' }],
    ['another giver', { First: 'Bea' }],
    ['a note', { Notes: 'n' }],
    ['a date', { Date: '2026-07-04' }],
    ['a fund', { FundId: 1 }],
  ])('is refused with other content: %s', async (_what, change) => {
    const [sent, key] = [withPair(), newKey()];
    const answer = await first(add(sent));
    const changed = { ...sent, ...change };
    const problem: Problem = await refusal(service, () => add(changed), 422, 'transaction_id_reused');
    expect(problem.detail).not.toContain(String(sent['Email']));
    await refusal(service, () => addUnder(service, key, changed), 422, 'transaction_id_reused');
    await replay(service, () => add(sent), answer);
    // The refused call has not used up its key.
    await first(addUnder(service, key, completeGift()));
  });

  it.each<[string, (sent: Record<string, unknown>) => object]>([
    ['another source', () => ({ Source: 'giveB' })],
    ['a source in another letter case', () => ({ Source: 'GIVEA' })],
    ['an id in another letter case', ({ TransactionId }) => ({ TransactionId: String(TransactionId).toUpperCase() })],
    ['another id', ({ TransactionId }) => ({ TransactionId: `${String(TransactionId)}0` })],
    ['no id', () => ({ TransactionId: undefined })],
  ])('is another pair with %s', async (_what, change) => {
    const sent = withPair();
    const { ContributionId } = await firstGift(add(sent));
    expect((await firstGift(add({ ...sent, ...change(sent) }))).ContributionId).not.toBe(ContributionId);
  });

  it('is separate for each user', async () => {
    const sent = withPair();
    const answer = await first(add(sent));
    const others = await first(add(sent, other));
    expect((others.body as Added).ContributionId).not.toBe((answer.body as Added).ContributionId);
    await replay(service, () => add(sent), answer);
    await replay(service, () => add(sent, other), others);
  });

  it('is refused once the gift is reversed, but a repeated key still gets its first answer', async () => {
    const [sent, key] = [withPair(), newKey()];
    const answer = await first(addUnder(service, key, sent));
    await service.reverse(`${(answer.body as Added).ContributionId}/chargeback`).expect(200);
    const problem = await refusal(service, () => add(sent), 409, 'already_reversed');
    expect(problem.detail).toContain('chargeback');
    await refusal(service, () => addUnder(service, newKey(), sent), 409, 'already_reversed');
    await refusal(service, () => add({ ...sent, Amount: '11' }), 422, 'transaction_id_reused');
    await replay(service, () => addUnder(service, key, sent), answer);
  });

  it('gets the first answer after the person was merged and the gift reassigned', async () => {
    const sent = withPair();
    const answer = await first(add(sent));
    const { ContributionId, PeopleId } = answer.body as Added;
    await service.app.get(MergePersons, { strict: false }).merge(PeopleId, (await addedGift(service, {})).PeopleId);
    await replay(service, () => add(sent), answer);
    const finance = await service.createUser('treasurer', PASSWORD, ['Finance']);
    const elsewhere = (await addedGift(service, {})).PeopleId;
    const reassign = service.http().post(`/Api/Contributions/${ContributionId}/reassign`);
    await reassign
      .auth(...finance)
      .send({ PeopleId: elsewhere })
      .expect(200);
    await replay(service, () => add(sent), answer);
  });

  it('gets the first answer after one of two matching persons was merged', async () => {
    const one = completeGift();
    const { PeopleId: from } = await firstGift(add(one));
    const two = { ...one, Email: email(), Phone: phone() };
    const { PeopleId: into } = await firstGift(add(two));
    const sent = { ...withPair(), ...one, Phone: two.Phone, Amount: '7' };
    const answer = await first(add(sent));
    expect(answer.body).toMatchObject({ PeopleId: from, NewPerson: false, MultipleMatches: true });
    await service.app.get(MergePersons, { strict: false }).merge(from, into);
    await replay(service, () => add(sent), answer);
  });

  it('is remembered for longer than a key', async () => {
    const [sent, key] = [withPair(), newKey()];
    const answer = await first(addUnder(service, key, sent));
    await service.database.query(`UPDATE idempotency_key SET created_at = created_at - interval '10 years'`);
    await service.database.query(
      `UPDATE contribution SET created_at = created_at - interval '10 years' WHERE id = $1`,
      [(answer.body as Added).ContributionId],
    );
    await replay(service, () => add(sent), answer);
  });

  it('is not used up by a refused gift or a dry run', async () => {
    const sent = withPair();
    await refusal(service, () => add({ ...sent, FundId: 2000000001 }), 422, 'fund_not_found');
    expect(await ask(sent)).toMatchObject({ wouldCreate: true });
    await first(add(sent));
  });

  it('makes a dry run show the recorded gift or the error of the real call', async () => {
    const sent = withPair();
    const { ContributionId, PeopleId } = await firstGift(add(sent));
    expect(await ask(sent)).toMatchObject({ wouldCreate: false, peopleId: PeopleId });
    await refusal(service, () => dryRun({ ...sent, Amount: '11' }), 422, 'transaction_id_reused');
    await service.reverse(`${ContributionId}/a`).expect(200);
    await refusal(service, () => dryRun(sent), 409, 'already_reversed');
  });

  const dryRun = (sent: object): supertest.Test =>
    service
      .http()
      .post('/Api/AddContribution?dryRun=true')
      .auth(...service.login)
      .send(sent);

  async function ask(sent: object): Promise<unknown> {
    const before = await rowCounts(service);
    const answer = await first(dryRun(sent));
    expect(await rowCounts(service)).toEqual(before);
    return answer.body as unknown;
  }
});

describe('a key together with a pair', () => {
  it('checks the key first: another request under it is refused', async () => {
    const [key, sent] = [newKey(), withPair()];
    await first(addUnder(service, key, sent));
    const changed = { ...sent, Amount: '11' };
    await refusal(service, () => addUnder(service, key, changed), 422, 'idempotency_key_reused');
  });

  it('stores the answer of an earlier call with the same pair', async () => {
    const [key, sent] = [newKey(), withPair()];
    const answer = await first(add(sent));
    await replayUnder(key, sent, answer);
    await service.reverse(`${(answer.body as Added).ContributionId}/a`).expect(200);
    await replay(service, () => addUnder(service, key, sent), answer);
    await refusal(service, () => addUnder(service, key, withPair()), 422, 'idempotency_key_reused');
  });

  /** Sends a recorded gift under a new key, which is stored while no gift is added. */
  async function replayUnder(key: string, sent: object, answer: supertest.Response): Promise<void> {
    const again = await addUnder(service, key, sent);
    expect([again.text, again.headers['idempotency-replayed']]).toEqual([answer.text, 'true']);
  }
});
