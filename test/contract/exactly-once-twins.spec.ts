import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import type supertest from 'supertest';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';
import { type Added, addedGift, fillPool, type Problem, refusal, rowCounts, sendGift } from './gift-requests.js';
import { letters } from './givers.js';
import { addUnder, completeGift, first, newKey, replay, reverseUnder } from './repeated-requests.js';
import { countLockWaits } from '../support/lock-waits.js';

const TWINS = 50;

let service: TestApp;

beforeAll(async () => {
  service = await startTestApp();
  await fillPool(service);
});
afterAll(() => service.stop());

/** The answers to simultaneous calls. */
const together = (call: (index: number) => supertest.Test): Promise<supertest.Response[]> =>
  Promise.all(Array.from({ length: TWINS }, (_, index) => call(index)));

/** The number of answers with each status and code. */
function tally(answers: readonly supertest.Response[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const what = [status, (body as Partial<Problem>).code].join(' ').trim();
    counts[what] = (counts[what] ?? 0) + 1;
  }
  return counts;
}

const isReplay = ({ headers }: supertest.Response): boolean => headers['idempotency-replayed'] === 'true';

const withPair = (): Record<string, unknown> => completeGift({ Source: 'giveA', TransactionId: `t-${letters()}` });

const count = async (table: string, condition: string, value: unknown): Promise<number> =>
  (await service.database.query(`SELECT 1 FROM ${table} WHERE ${condition}`, [value])).length;

describe('50 simultaneous calls', () => {
  it.each<[string, () => (index: number) => supertest.Test]>([
    [
      'under one key',
      () => {
        const [key, sent] = [newKey(), completeGift()];
        return () => addUnder(service, key, sent);
      },
    ],
    [
      'with one transaction id',
      () => {
        const sent = withPair();
        return () => sendGift(service, sent);
      },
    ],
    [
      'with one transaction id, each under its own key',
      () => {
        const sent = withPair();
        return () => addUnder(service, newKey(), sent);
      },
    ],
    [
      'with one transaction id, half of them under one key',
      () => {
        const [key, sent] = [newKey(), withPair()];
        return (index) => (index % 2 === 0 ? addUnder(service, key, sent) : sendGift(service, sent));
      },
    ],
  ])('record one gift and get one answer: %s', async (_how, twins) => {
    const answers = await together(twins());
    expect(tally(answers)).toEqual({ 200: TWINS });
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(isReplay)).toHaveLength(TWINS - 1);
    const { PeopleId } = answers[0]?.body as Added;
    expect(await count('contribution', 'person_id = $1', PeopleId)).toBe(1);
  });

  it('under one key make one reversal and one notice', async () => {
    const [key, { ContributionId }] = [newKey(), await addedGift(service, {})];
    const answers = await together(() => reverseUnder(service, key, `${ContributionId}/a`));
    expect(tally(answers)).toEqual({ 200: TWINS });
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(isReplay)).toHaveLength(TWINS - 1);
    expect(await count('contribution', 'reverses_id = $1', ContributionId)).toBe(1);
    const noticed = 'reversing_contribution_id = (SELECT id FROM contribution WHERE reverses_id = $1)';
    expect(await count('notice', noticed, ContributionId)).toBe(1);
  });

  it.each<[string, string, () => (index: number) => supertest.Test]>([
    [
      'under one key',
      '422 idempotency_key_reused',
      () => {
        const [key, sent] = [newKey(), completeGift()];
        return (index) => addUnder(service, key, { ...sent, Amount: index + 1 });
      },
    ],
    [
      'with one transaction id',
      '422 transaction_id_reused',
      () => {
        const sent = withPair();
        return (index) => sendGift(service, { ...sent, Amount: index + 1 });
      },
    ],
  ])('with different content record one gift, and all others are refused: %s', async (_how, refused, calls) => {
    const answers = await together(calls());
    expect(tally(answers)).toEqual({ 200: 1, [refused]: TWINS - 1 });
    const { PeopleId } = answers.find(({ status }) => status === 200)?.body as Added;
    expect(await count('contribution', 'person_id = $1', PeopleId)).toBe(1);
  });

  it('with an invalid gift are all refused and do not use up the key', async () => {
    const [key, before] = [newKey(), await rowCounts(service)];
    const answers = await together(() => addUnder(service, key, completeGift({ FundId: 2000000001 })));
    expect(tally(answers)).toEqual({ '422 fund_not_found': TWINS });
    expect(await rowCounts(service)).toEqual(before);
    await first(addUnder(service, key, completeGift()));
  });

  it('with a gift that is reversed meanwhile get its first answer or already_reversed', async () => {
    const sent = withPair();
    const answer = await first(sendGift(service, sent));
    const { ContributionId, PeopleId } = answer.body as Added;
    const answers = await together((index) =>
      index === 10 ? service.reverse(`${ContributionId}/a`) : sendGift(service, sent),
    );
    const repeated = answers.filter((_answer, index) => index !== 10);
    const first_again = repeated.filter((one) => one.text === answer.text && isReplay(one));
    const refused = repeated.filter(({ body }) => (body as Problem).code === 'already_reversed');
    expect(first_again.length + refused.length).toBe(TWINS - 1);
    expect(await count('contribution', 'person_id = $1 AND reverses_id IS NULL', PeopleId)).toBe(1);
  });
});

describe('a twin of a call that is still in progress', () => {
  let holder: Client;

  beforeAll(async () => {
    holder = new Client({ connectionString: service.database.url });
    await holder.connect();
  });
  afterAll(() => holder.end());

  /** Holds the key like a call that is still running. */
  async function beginCall(key: string): Promise<void> {
    await holder.query('BEGIN');
    await holder.query(
      `INSERT INTO idempotency_key (user_id, operation, key, request_digest)
       SELECT id, 'AddContribution', $2, '' FROM app_user WHERE username = $1`,
      [service.login[0], key],
    );
  }

  const waiting = async (): Promise<boolean> => (await countLockWaits(service.database)) > 0;

  it('waits for it for about 4 seconds, and then gets 409', async () => {
    const [key, sent] = [newKey(), completeGift()];
    await beginCall(key);
    const start = performance.now();
    await refusal(service, () => addUnder(service, key, sent), 409, 'request_in_progress');
    const waited = performance.now() - start;
    await holder.query('ROLLBACK');
    expect(waited).toBeGreaterThan(3_500);
    expect(waited).toBeLessThan(5_500);
    const answer = await first(addUnder(service, key, sent));
    await replay(service, () => addUnder(service, key, sent), answer);
  });

  it('records the gift itself if the other call is rolled back', async () => {
    const [key, sent] = [newKey(), completeGift()];
    await beginCall(key);
    const call = first(addUnder(service, key, sent));
    await until(waiting);
    await holder.query('ROLLBACK');
    expect(((await call).body as Added).NewPerson).toBe(true);
  });

  it('does not wait if its key is different', async () => {
    await beginCall(newKey());
    await first(addUnder(service, newKey(), completeGift()));
    await holder.query('ROLLBACK');
  });
});
