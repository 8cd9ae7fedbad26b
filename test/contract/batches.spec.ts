import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type supertest from 'supertest';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { type Added, addedGift, type Problem, refusal, rowCounts } from './gift-requests.js';
import { letters } from './givers.js';
import { completeGift } from './repeated-requests.js';

let service: TestApp;

interface Result {
  readonly Index: number;
  readonly Status: number;
  readonly Answer?: Added;
  readonly Problem?: Problem;
}

const post = (Gifts: unknown, fields: object = {}): supertest.Test =>
  service
    .http()
    .post('/Api/AddContributions')
    .auth(...service.login)
    .send({ Gifts, ...fields });

const send = async (gifts: unknown): Promise<readonly Result[]> => {
  const answer = await post(gifts).expect(200);
  return (answer.body as { Results: readonly Result[] }).Results;
};

/** A gift of a new giver with an id of its own. */
const gift = (fields: object = {}): Record<string, unknown> =>
  completeGift({ Source: 'batch', TransactionId: `t-${letters()}`, ...fields });

const gifts = (count: number): Record<string, unknown>[] => Array.from({ length: count }, () => gift());

const statuses = (results: readonly Result[]): number[] => results.map(({ Status }) => Status);

const idsOf = (results: readonly Result[]): number[] => results.map(({ Answer }) => Number(Answer?.ContributionId));

describe('AddContributions', () => {
  beforeAll(async () => {
    service = await startTestApp();
  });
  afterAll(() => service.stop());

  it.each([1, 3, 100])('records %d gifts in the order given', async (count) => {
    const sent = gifts(count);
    const results = await send(sent);
    expect(results.map(({ Index }) => Index)).toEqual(sent.map((_gift, index) => index));
    const ids = idsOf(results);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
    const stored = await service.database.query(
      'SELECT id, transaction_id FROM contribution WHERE id = ANY ($1::integer[]) ORDER BY id',
      [ids],
    );
    expect(stored).toEqual(ids.map((id, index) => ({ id, transaction_id: sent[index]?.['TransactionId'] })));
  });

  it('answers for each gift what AddContribution answers, and gives it the first answer there', async () => {
    const sent = gift();
    const [result] = await send([sent]);
    expect(result).toEqual({
      Index: 0,
      Status: 200,
      Answer: {
        ...{ PeopleId: expect.any(Number), ContributionId: expect.any(Number), NewPerson: true },
        ...{ MultipleMatches: false, Source: 'batch' },
      },
    });
    const alone = await service.add(sent).expect(200);
    expect(alone.headers['idempotency-replayed']).toBe('true');
    expect(alone.body).toEqual(result?.Answer);
  });

  it('records a new giver of several gifts once', async () => {
    const sent = gift();
    const results = await send([
      sent,
      { ...sent, TransactionId: 'other' },
      { ...sent, TransactionId: 'third', Amount: 3 },
    ]);
    expect(results.map(({ Answer }) => Answer?.NewPerson)).toEqual([true, false, false]);
    expect(new Set(results.map(({ Answer }) => Answer?.PeopleId)).size).toBe(1);
  });

  it('lists the second of two equal gifts for review, as if each had been sent alone', async () => {
    const sent = gift();
    const ids = idsOf(await send([sent, { ...sent, TransactionId: letters() }]));
    expect(
      await service.database.query(
        'SELECT contribution_id AS id, reasons, other_gifts FROM review WHERE contribution_id = ANY ($1::integer[])',
        [ids],
      ),
    ).toEqual([{ id: ids[1], reasons: ['possible_duplicate'], other_gifts: [ids[0]] }]);
  });

  it('repeats nothing when it is sent again, whole or in parts', async () => {
    const sent = gifts(5);
    const results = await send(sent);
    const before = await rowCounts(service);
    expect(await send(sent)).toEqual(results);
    expect(idsOf(await send([...sent].reverse()))).toEqual([...idsOf(results)].reverse());
    expect(await rowCounts(service)).toEqual(before);
    expect(idsOf(await send([...sent, gift()])).slice(0, 5)).toEqual(idsOf(results));
  });

  it('records the second gift with an id of the first one only if it is the same', async () => {
    const sent = gift();
    const results = await send([sent, sent, { ...sent, Amount: '11' }]);
    expect(statuses(results)).toEqual([200, 200, 422]);
    expect(results[1]?.Answer).toEqual(results[0]?.Answer);
    expect(results[2]?.Problem?.code).toBe('transaction_id_reused');
  });

  it('refuses each invalid gift by itself, with the problem that AddContribution answers', async () => {
    const reversed = gift();
    await service.reverse(`${(await addedGift(service, reversed)).ContributionId}/a`).expect(200);
    const refused: [object, number, string][] = [
      [gift({ Amount: 'x', First: '' }), 400, 'invalid_request'],
      [gift({ Method: 'gold' }), 400, 'invalid_request'],
      [gift({ TransactionId: 17 }), 400, 'invalid_request'],
      [gift({ Splits: [{ Amount: '5' }, { Amount: '5', FundId: 2000000001 }] }), 422, 'fund_not_found'],
      [gift({ FundId: 2000000001 }), 422, 'fund_not_found'],
      [gift({ PeopleId: 2000000001 }), 422, 'person_not_found'],
      [gift({ IgnoreUnknownPerson: true }), 422, 'unknown_person'],
      [gift({ BundleTypeId: 7 }), 422, 'bundle_type_not_found'],
      [gift({ ContributionTypeId: 7 }), 422, 'contribution_type_not_allowed'],
      [gift({ ContributionTypeId: 2000000001 }), 422, 'contribution_type_not_allowed'],
      [gift({ Currency: 'EUR' }), 422, 'currency_mismatch'],
      [reversed, 409, 'already_reversed'],
    ];
    const results = await send(refused.flatMap(([sent]) => [sent, gift()]));
    expect(statuses(results)).toEqual(refused.flatMap(([, status]) => [status, 200]));
    for (const [index, [sent, status, code]] of refused.entries()) {
      const { Problem: problem } = results[2 * index] ?? {};
      const alone = await service.add(sent);
      expect([alone.status, (alone.body as Problem).code]).toEqual([status, code]);
      expect(problem).toEqual({ ...(alone.body as Problem), instance: problem?.instance });
    }
  });

  it('stores of a batch of refused gifts nothing', async () => {
    const before = await rowCounts(service);
    expect(statuses(await send([gift({ FundId: 2000000001 }), gift({ Amount: 0 })]))).toEqual([422, 400]);
    expect(await rowCounts(service)).toEqual(before);
  });

  it.each<[string, unknown]>([
    ['no gifts', undefined],
    ['an empty list', []],
    ['101 gifts', gifts(101)],
    ['an object', { 0: gift() }],
    ['a list of texts', ['gift']],
    ['a list of lists', [[gift()]]],
    ['a gift without a TransactionId', [gift(), gift({ TransactionId: undefined })]],
    ['a gift with a blank Source', [gift(), gift({ Source: ' ' })]],
  ])('refuses %s as a whole', async (_what, sent) => {
    const { errors } = await refusal(service, () => post(sent), 400, 'invalid_request');
    expect(errors?.map(({ field }) => field)).toEqual(['Gifts']);
  });

  it.each(['constructor', '__proto__', 'toString', 'then'])('ignores an unknown member %s', async (name) => {
    const member = Object.fromEntries([[name, {}]]);
    const Splits = [{ FundId: 1, Amount: '10', ...member }];
    const sent = JSON.stringify({ Gifts: [{ ...gift({ Amount: '10', Splits }), ...member }] });
    const answer = await service
      .http()
      .post('/Api/AddContributions')
      .auth(...service.login)
      .type('json')
      .send(sent)
      .expect(200);
    expect(statuses((answer.body as { Results: readonly Result[] }).Results)).toEqual([200]);
  });

  it('refuses a body in which a gift has one field twice', async () => {
    const json = JSON.stringify({ Gifts: [gift({ Splits: [{ Amount: '10' }] })] });
    for (const twice of [
      json.replace('"Splits"', '"AMOUNT":"1","Splits"'),
      json.replace('"First"', '"First":"X","First"'),
    ]) {
      const call = (): supertest.Test =>
        service
          .http()
          .post('/Api/AddContributions')
          .auth(...service.login)
          .set('Content-Type', 'application/json')
          .send(twice);
      await refusal(service, call, 400, 'invalid_request');
    }
  });

  it('ignores what is in an unknown field, as for a single gift', async () => {
    expect(statuses(await send([gift({ Meta: { id: 1, ID: 2, Id: [{ a: 1, A: 2 }] } }), gift()]))).toEqual([200, 200]);
  });

  it('reads up to 1 MB', async () => {
    const large = gifts(100).map((sent) => ({ ...sent, Notes: 'n'.repeat(4000) }));
    expect(statuses(await send(large))).toEqual(large.map(() => 200));
    const tooLarge = gifts(100).map((sent) => ({ ...sent, Unknown: 'n'.repeat(12_000) }));
    await refusal(service, () => post(tooLarge), 413, 'payload_too_large');
  });

  it('needs the roles of AddContribution', async () => {
    const reader = await service.createUser('batch-reader', 'correct horse battery', ['Developer', 'APIOnly']);
    await refusal(service, () => post(gifts(1)).auth(...reader), 403, 'forbidden');
  });

  it('counts gifts that are sent again while other calls record them once', async () => {
    const sent = gifts(20);
    const all = await Promise.all([
      ...Array.from({ length: 6 }, () => send(sent)),
      ...Array.from({ length: 6 }, () => send([...sent].reverse()).then((results) => [...results].reverse())),
    ]);
    const alone = await Promise.all(sent.map((one) => service.add(one).expect(200)));
    const ids = idsOf(all[0] ?? []);
    for (const results of all) expect(idsOf(results)).toEqual(ids);
    expect(alone.map(({ body }) => (body as Added).ContributionId)).toEqual(ids);
    expect(new Set(ids).size).toBe(20);
  });

  it('does not deadlock with batches that have the same givers in another order', async () => {
    const givers = gifts(15);
    const again = (order: readonly object[]): object[] => order.map((sent) => ({ ...sent, TransactionId: letters() }));
    const all = await Promise.all(
      Array.from({ length: 10 }, (_each, index) => send(again(index % 2 === 0 ? givers : [...givers].reverse()))),
    );
    expect(new Set(all.flat().map(({ Status }) => Status))).toEqual(new Set([200]));
    const [{ deadlocks } = { deadlocks: -1 }] = await service.database.query<{ deadlocks: number }>(
      'SELECT deadlocks::integer FROM pg_stat_database WHERE datname = current_database()',
    );
    expect(deadlocks).toBe(0);
    expect(new Set(all.flat().map(({ Answer }) => Answer?.PeopleId)).size).toBe(15);
  });
});

describe('a batch of givers who share details', () => {
  let other: TestApp;
  beforeAll(async () => {
    service = await startTestApp();
    other = await startTestApp();
  });
  afterAll(async () => {
    await service.stop();
    await other.stop();
  });

  const BOOKS = {
    persons: 'SELECT id, first_name, last_name, email, phone FROM person ORDER BY id',
    contacts: 'SELECT person_id, kind, value, confirmed FROM contact ORDER BY id',
    gifts: `SELECT id, payment_id, person_id, amount, matched_by, matched_on, other_matches, transaction_id
            FROM contribution ORDER BY id`,
    reviews: 'SELECT contribution_id, reasons, other_persons, other_gifts FROM review ORDER BY id',
  };
  const booksOf = async (app: TestApp): Promise<unknown> =>
    Object.fromEntries(
      await Promise.all(
        Object.entries(BOOKS).map(async ([name, sql]) => [name, await app.database.query(sql)] as const),
      ),
    );

  it('leaves the same books as its gifts sent one by one', async () => {
    // A fixed sequence, so that a failure can be repeated.
    let state = 20261129;
    const oneOf = <T>(values: readonly T[]): T => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return values[(state >>> 12) % values.length] as T;
    };
    for (let round = 0; round < 8; round++) {
      const sent: Record<string, string>[] = [];
      for (let index = 0; index < 40; index++) {
        const gift = {
          First: oneOf(['Robert', 'Bob', 'Ann', 'Anna']),
          Last: oneOf(['Lee', 'Le', 'Smith']),
          Email: oneOf(['a@x.org', 'b@x.org', 'c@x.org', 'office@x.org', 'none@none.invalid']),
          Phone: oneOf(['901-555-0101', '901-555-0102', '901-555-0103', 'n/a']),
          Amount: oneOf(['5', '7.50']),
          Source: oneOf(['a', 'b']),
          TransactionId: `r${round}-${index}`,
        };
        sent.push(index > 0 && oneOf([1, 2, 3, 4, 5, 6, 7, 8]) === 1 ? oneOf(sent) : gift);
      }
      const inOne = (await send(sent)).map(({ Answer }) => Answer);
      const alone: unknown[] = [];
      for (const gift of sent) {
        const answer = await other.add(gift).expect(200);
        alone.push(answer.body as Added);
      }
      expect(inOne).toEqual(alone);
      expect(await booksOf(service)).toEqual(await booksOf(other));
    }
  });
});
