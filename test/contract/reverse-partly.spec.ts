import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { assertLedgerInvariants } from '../support/ledger-invariants.js';
import { type Login, ROLES, startTestApp, type TestApp } from '../support/test-app.js';
import { addedGift, fillPool, readBack, refusal } from './gift-requests.js';
import { entriesOf, newFund, noticesOf, rowsOf, splitGift, takenFrom, tally } from './reversal-requests.js';

let service: TestApp;
/** Another processor. */
let other: Login;
let roof: number;

beforeAll(async () => {
  service = await startTestApp({ CHURCH_TIME_ZONE: 'America/Chicago' });
  other = await service.createUser('other', 'correct horse battery', ROLES);
  roof = await newFund(service, 'Roof');
});
afterAll(async () => {
  await assertLedgerInvariants(service.database);
  await service.stop();
});

const newGift = async (Amount = '1000'): Promise<number> => (await addedGift(service, { Amount })).ContributionId;

describe('a reversal with an amount', () => {
  it('takes back a part: the gift stays recorded until nothing is left', async () => {
    const gift = await newGift();
    const answer = await service.reverse(`${gift}/stripe?amount=200&reason=refund`).expect(200);
    expect(Object.entries(answer.body as object)).toEqual([
      ['operation', 'Reversal'],
      ['peopleId', expect.any(Number)],
      ['contributionId', gift],
      ['source', 'API Reverse (source=stripe)'],
    ]);
    expect(await rowsOf(service, gift)).toMatchObject([
      { id: gift, amount: '1000.00', reversed: '200.00', status: 0 },
      { reverses: gift, amount: '-200.00', status: 0, type: 7, reason: 'refund', source: 'stripe', fund: 1 },
    ]);
    expect((await readBack(service, gift))['status']).toBe('Recorded');

    await service.reverse(`${gift}/stripe?amount=800.00`).expect(200);
    expect(await rowsOf(service, gift)).toMatchObject([{ reversed: '1000.00', status: 1 }, {}, { amount: '-800.00' }]);
    expect((await readBack(service, gift))['status']).toBe('Reversed');
  });

  it('of more than is left is refused with what is left', async () => {
    const gift = await newGift();
    await service.reverse(`${gift}/a?amount=200`).expect(200);
    const call = (): ReturnType<TestApp['reverse']> => service.reverse(`${gift}/a?amount=800.01`);
    const { detail } = await refusal(service, call, 422, 'reversal_exceeds_gift');
    expect(detail).toBe(`Only USD 800.00 is left of contribution ${gift}. Nothing was reversed.`);
  });

  it('of a gift of which nothing is left names the last reversal', async () => {
    const gift = await newGift('10');
    await service.reverse(`${gift}/first?amount=4`).expect(200);
    await service.reverse(`${gift}/last`, other).expect(200);
    for (const query of ['', '?amount=1', '?amount=100', '?fundId=77']) {
      const call = (): ReturnType<TestApp['reverse']> => service.reverse(`${gift}/again${query}`);
      const { detail } = await refusal(service, call, 409, 'already_reversed');
      expect(detail).toMatch(/ by source last\.$/);
    }
  });

  it('is read like the amount of a gift, in any letter case of its name', async () => {
    const gift = await newGift('10');
    for (const query of ['amount=0.5', 'AMOUNT=1', 'Amount=+2.00+', 'amount=003']) {
      await service.reverse(`${gift}/a?${query}`).expect(200);
    }
    expect((await entriesOf(service, gift)).map(({ amount }) => amount)).toEqual(['-0.50', '-1.00', '-2.00', '-3.00']);
  });

  it.each([
    ['amount=0', 'amount', /at least 0\.01/],
    ['amount=0.00', 'amount', /at least 0\.01/],
    ['amount=-1', 'amount', /^must be more than zero: it is the amount to take back/],
    ['amount=1.001', 'amount', /two decimals/],
    ['amount=1e1', 'amount', /digits/],
    ['amount=$5', 'amount', /digits/],
    ['amount=1,000', 'amount', /digits/],
    ['amount=', 'amount', /must not be blank/],
    ['amount=1000000000', 'amount', /at most/],
    ['amount=1&amount=1', 'amount', /twice/],
    ['amount=1&Amount=2', 'amount', /twice/],
    ['amout=1', 'amout', /it takes amount, reason, fundId, refundId/],
    ['reason=because', 'reason', /refund or returned or chargeback or duplicate or error/],
    ['reason=', 'reason', /must not be blank/],
    ['fundId=0', 'fundId', /whole number from 1/],
    ['fundId=1e1', 'fundId', /whole number from 1/],
    [`refundId=${'x'.repeat(101)}`, 'refundId', /100/],
    ['refundId=a%00', 'refundId', /./],
    ['refundId=%20', 'refundId', /must not be blank/],
    ['dryRun=true', 'dryRun', /is not a parameter/],
  ])('with %s is refused', async (query, field, message) => {
    const gift = await newGift();
    const call = (): ReturnType<TestApp['reverse']> => service.reverse(`${gift}/a?${query}`);
    const { errors } = await refusal(service, call, 400, 'invalid_request');
    expect(errors).toEqual([{ field, message: expect.stringMatching(message) }]);
  });

  it('reports all faults of the query', async () => {
    const answer = await service.reverse(`1/a?amount=0&reason=x&fundId=x`).expect(400);
    const { errors } = answer.body as { errors: { field: string }[] };
    expect(errors.map(({ field }) => field)).toEqual(['amount', 'reason', 'fundId']);
  });

  it('in a body is refused, and the error says where it goes', async () => {
    const gift = await newGift();
    const call = (): ReturnType<TestApp['reverse']> => service.reverse(`${gift}/a`).send({ amount: '20.00' });
    const { detail } = await refusal(service, call, 400, 'invalid_request');
    expect(detail).toBe(
      'ReverseContribution takes no body: amount goes into the query: ?amount=20.00. Nothing was changed.',
    );
    await service.reverse(`${gift}/a?amount=1`).send({}).expect(200);
  });

  it.each(['refund', 'returned', 'chargeback', 'duplicate', 'error', 'ChargeBack'])(
    'has the reason %s',
    async (reason) => {
      const gift = await newGift();
      await service.reverse(`${gift}/a?reason=${reason}`).expect(200);
      expect(await entriesOf(service, gift)).toMatchObject([{ reason: reason.toLowerCase(), amount: '-1000.00' }]);
    },
  );

  it('of 100 succeeds ten times of 50 at once for a gift of 1,000', async () => {
    const gift = await newGift();
    await fillPool(service);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        service.reverse(`${gift}/a?amount=100`, i % 2 === 0 ? other : service.login),
      ),
    );
    expect(tally(answers)).toEqual({ 200: 10, '409 already_reversed': 40 });
    expect(await entriesOf(service, gift)).toHaveLength(10);
    expect(await noticesOf(service, gift)).toHaveLength(10);
    expect((await rowsOf(service, gift))[0]).toMatchObject({ reversed: '1000.00', status: 1 });
  });

  it('of different amounts at once never takes more than there is', async () => {
    const gift = await newGift('10');
    const answers = await Promise.all(
      ['3', '4', '5', '6', '7', '0.01', '2.5'].map((amount) => service.reverse(`${gift}/a?amount=${amount}`)),
    );
    const taken = answers.filter(({ status }) => status === 200).length;
    expect(await entriesOf(service, gift)).toHaveLength(taken);
    expect(answers.every(({ status }) => [200, 409, 422].includes(status))).toBe(true);
  });

  it('can be reversed in a closed bundle, and leaves that as it is', async () => {
    const gift = await newGift();
    const [before] = await rowsOf(service, gift);
    await service.database.query('UPDATE bundle SET status = 0, closed_at = now() WHERE id = $1', [before?.bundle]);
    await service.reverse(`${gift}/a?amount=1`).expect(200);
    const [entry] = await entriesOf(service, gift);
    expect(entry?.bundle).not.toBe(before?.bundle);
    expect((await rowsOf(service, gift))[0]).toMatchObject({ bundle: before?.bundle, reversed: '1.00' });
  });

  it('closes the review of the gift only when nothing is left', async () => {
    const giver = { First: 'Tom', Last: 'Twice', Email: 'tom@twice.example', Amount: '7.77' };
    await addedGift(service, { ...giver, Source: 'a' });
    const { ContributionId: gift } = await addedGift(service, { ...giver, Source: 'b' });
    const open = (): Promise<unknown[]> =>
      service.database.query('SELECT FROM review WHERE contribution_id = $1 AND accepted_at IS NULL', [gift]);
    expect(await open()).toHaveLength(1);
    await service.reverse(`${gift}/a?amount=7`).expect(200);
    expect(await open()).toHaveLength(1);
    await service.reverse(`${gift}/a?amount=0.77`).expect(200);
    expect(await open()).toHaveLength(0);
  });
});

describe('the notice', () => {
  it('of a part has the amount, what is left and the reason', async () => {
    const gift = await newGift();
    await service.reverse(`${gift}/stripe?amount=200&reason=chargeback`).expect(200);
    await service.reverse(`${gift}/stripe`).expect(200);
    const [first, last] = await entriesOf(service, gift);
    const fund = { id: 1, name: 'General' };
    const both = { contributionId: gift, currency: 'USD', fund, source: 'stripe', username: 'api', isPartial: true };
    const partOf = (entry: typeof first, amount: string): object => {
      return { contributionId: gift, reversingContributionId: entry?.id, amount, fund };
    };
    expect(await noticesOf(service, gift)).toEqual([
      expect.objectContaining({
        ...both,
        ...{ reversingContributionId: first?.id, amount: '200.00', left: '800.00', reason: 'chargeback' },
        entries: [partOf(first, '200.00')],
      }),
      expect.objectContaining({
        ...both,
        ...{ reversingContributionId: last?.id, amount: '800.00', left: '0.00', reason: null },
        entries: [partOf(last, '800.00')],
      }),
    ]);
  });

  it('of a whole gift has nothing left, and no reason', async () => {
    const gift = await newGift('10');
    await service.reverse(`${gift}/a`).expect(200);
    expect(await noticesOf(service, gift)).toMatchObject([
      { amount: '10.00', left: '0.00', isPartial: false, reason: null },
    ]);
  });
});

describe('a split gift', () => {
  it('is reversed as a whole, whichever part the id names', async () => {
    for (const named of [0, 1, 2]) {
      const parts = await splitGift(service, [
        ['700', 1],
        ['200', roof],
        ['100', 1],
      ]);
      const id = parts[named] ?? 0;
      const answer = await service.reverse(`${id}/a`).expect(200);
      expect(answer.body).toMatchObject({ contributionId: id });
      expect(await takenFrom(service, id)).toEqual([
        [parts[0], 1, '-700.00'],
        [parts[1], roof, '-200.00'],
        [parts[2], 1, '-100.00'],
      ]);
      const entries = await entriesOf(service, id);
      expect(new Set(entries.map(({ reversal }) => reversal))).toEqual(new Set([entries[0]?.id]));
      expect((await rowsOf(service, id)).map(({ status }) => status)).toEqual([1, 1, 1, 0, 0, 0]);
      await refusal(service, () => service.reverse(`${parts[2]}/a`), 409, 'already_reversed');
    }
  });

  it('has one notice for each reversal, with all entries', async () => {
    const parts = await splitGift(service, [
      ['700', 1],
      ['300', roof],
    ]);
    await service.reverse(`${parts[1]}/a?amount=100&reason=refund`).expect(200);
    const [first, second] = await entriesOf(service, parts[0] ?? 0);
    expect(await noticesOf(service, parts[0] ?? 0)).toMatchObject([
      {
        contributionId: parts[0],
        reversingContributionId: first?.id,
        amount: '100.00',
        left: '900.00',
        entries: [
          { contributionId: parts[0], reversingContributionId: first?.id, amount: '70.00', fund: { name: 'General' } },
          { contributionId: parts[1], reversingContributionId: second?.id, amount: '30.00', fund: { name: 'Roof' } },
        ],
      },
    ]);
  });

  it('gives an amount in proportion to what is left of each part, without entries of 0.00', async () => {
    const [a = 0, b = 0, c = 0] = await splitGift(service, [
      ['10', 1],
      ['10', roof],
      ['10', 1],
    ]);
    await service.reverse(`${a}/a?amount=0.01`).expect(200);
    await service.reverse(`${a}/a?amount=20`).expect(200);
    expect(await takenFrom(service, a)).toEqual([
      [a, 1, '-0.01'],
      [a, 1, '-6.66'],
      [b, roof, '-6.67'],
      [c, 1, '-6.67'],
    ]);
  });

  it('gives an amount from one fund', async () => {
    const [a = 0, b = 0] = await splitGift(service, [
      ['10', 1],
      ['20', roof],
    ]);
    await service.reverse(`${a}/a?amount=5&fundId=${roof}`).expect(200);
    expect(await takenFrom(service, a)).toEqual([[b, roof, '-5.00']]);
    const call = (): ReturnType<TestApp['reverse']> => service.reverse(`${a}/a?amount=15.01&fundId=${roof}`);
    const { detail } = await refusal(service, call, 422, 'reversal_exceeds_gift');
    expect(detail).toBe(`Only USD 15.00 is left of contribution ${a} in fund ${roof}. Nothing was reversed.`);
    await service.reverse(`${a}/a?fundId=${roof}`).expect(200);
    expect((await rowsOf(service, a)).slice(0, 2)).toMatchObject([
      { reversed: '0.00', status: 0 },
      { reversed: '20.00', status: 1 },
    ]);
    const none = await refusal(service, () => service.reverse(`${a}/a?fundId=${roof}`), 422, 'reversal_exceeds_gift');
    expect(none.detail).toContain('Only USD 0.00 is left');
    expect(await noticesOf(service, a)).toMatchObject([
      { left: '25.00', amount: '5.00' },
      { left: '10.00', amount: '15.00' },
    ]);
  });

  it('is never overdrawn by reversals of its parts at once', async () => {
    const parts = await splitGift(service, [
      ['333.33', 1],
      ['333.33', roof],
      ['333.34', 1],
    ]);
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) => service.reverse(`${parts[i % 3]}/a?amount=100`)),
    );
    expect(tally(answers)).toEqual({ 200: 10, '409 already_reversed': 20 });
    const [sum] = await service.database.query('SELECT sum(amount) FROM contribution WHERE payment_id = $1', [
      parts[0],
    ]);
    expect(sum).toEqual({ sum: '0.00' });
  });
});

describe('in a currency without decimals', () => {
  let yen: TestApp;
  beforeAll(async () => {
    yen = await startTestApp({ CHURCH_CURRENCY: 'JPY' });
  });
  afterAll(() => yen.stop());

  it('amounts are whole, and are spread in whole units', async () => {
    const fund = await newFund(yen, 'Roof');
    const [a = 0, b = 0] = await splitGift(yen, [
      ['1000', 1],
      ['500', fund],
    ]);
    await yen.reverse(`${a}/a?amount=100.5`).expect(400);
    await yen.reverse(`${a}/a?amount=100`).expect(200);
    expect(await takenFrom(yen, a)).toEqual([
      [a, 1, '-67.00'],
      [b, fund, '-33.00'],
    ]);
    const refused = await yen.reverse(`${a}/a?amount=1401`).expect(422);
    expect((refused.body as { detail: string }).detail).toContain('Only JPY 1400 is left');
  });
});
