import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { addedGift, invalidGift, refusal, sendGift } from './gift-requests.js';
import { addUnder, completeGift, first, firstGift, newKey, replay } from './repeated-requests.js';

let service: TestApp;
let missions: number;

beforeAll(async () => {
  service = await startTestApp();
  const [fund] = await query<{ id: number }>(`INSERT INTO fund (name) VALUES ('St. Mary''s Missions') RETURNING id`);
  missions = Number(fund?.id);
});
afterAll(() => service.stop());

const query = <Row>(sql: string, values: unknown[] = []): Promise<Row[]> => service.database.query<Row>(sql, values);

interface Part {
  readonly id: number;
  readonly payment_id: number;
  readonly amount: string;
  readonly fund_id: number;
  readonly notes: string | null;
  readonly contribution_type_id: number;
}

const partsOf = (id: number): Promise<Part[]> =>
  query(
    `SELECT id, payment_id, amount, fund_id, notes, contribution_type_id FROM contribution WHERE payment_id = $1 ORDER BY id`,
    [id],
  );

const paymentOf = async (id: number): Promise<unknown> =>
  (await query('SELECT amount, fee, method, check_number, payout_id FROM payment WHERE id = $1', [id]))[0];

describe('a payment', () => {
  it('has the amount of its only part, and nothing that was not sent', async () => {
    const { ContributionId } = await addedGift(service, { Amount: '12.5' });
    expect(await paymentOf(ContributionId)).toEqual({
      amount: '12.50',
      fee: null,
      method: null,
      check_number: null,
      payout_id: null,
    });
    expect(await partsOf(ContributionId)).toMatchObject([{ id: ContributionId, amount: '12.50', fund_id: 1 }]);
  });

  it('has the method, check number, fee and payout as sent, and stays gross', async () => {
    const { ContributionId } = await addedGift(service, {
      ...{ Amount: '100', Fee: '2.5', Method: ' CARD', CheckNumber: '0017', PayoutId: 'po_1', Source: 's' },
    });
    expect(await paymentOf(ContributionId)).toEqual({
      ...{ amount: '100.00', fee: '2.50', method: 'card', check_number: '0017', payout_id: 'po_1' },
    });
    expect(await partsOf(ContributionId)).toMatchObject([{ amount: '100.00' }]);
  });

  it.each(['card', 'ach', 'check', 'cash', 'wallet', 'other'])('may be paid by %s', async (Method) => {
    const { ContributionId } = await addedGift(service, { Method: Method.toUpperCase() });
    expect(await paymentOf(ContributionId)).toMatchObject({ method: Method });
  });

  it.each<[object, string]>([
    [{ Method: 'bitcoin' }, 'Method'],
    [{ Method: 1 }, 'Method'],
    [{ CheckNumber: '1'.repeat(21) }, 'CheckNumber'],
    [{ CheckNumber: 17 }, 'CheckNumber'],
    [{ Fee: '10.01' }, 'Fee'],
    [{ Fee: '-0.01' }, 'Fee'],
    [{ Fee: '0.001' }, 'Fee'],
    [{ Fee: 'none' }, 'Fee'],
    [{ PayoutId: 'x'.repeat(101), Source: 's' }, 'PayoutId'],
    [{ PayoutId: 'po_1' }, 'Source'],
    [{ FundName: 'x'.repeat(101) }, 'FundName'],
    [{ FundName: ['General'] }, 'FundName'],
  ])('refuses %j', async (fields, name) => {
    await invalidGift(service, fields, name);
  });

  it.each(['0', 0, '10', '10.00'])('accepts a fee of %j for an amount of 10', async (Fee) => {
    await addedGift(service, { Fee });
  });

  it('reports all its invalid fields at once', async () => {
    await invalidGift(service, { First: '', Method: 'x' }, 'First', 'Method');
    await invalidGift(
      service,
      { Method: 'x', Fee: '11', PayoutId: 'p', Splits: 1 },
      'Method',
      'Fee',
      'Source',
      'Splits',
    );
  });
});

describe('FundName', () => {
  it.each(['St. Mary’s Missions', 'ST MARYS MISSIONS', 'st.mary`s-missions'])(
    'finds a fund by %s',
    async (FundName) => {
      const { ContributionId } = await addedGift(service, { FundName });
      expect(await partsOf(ContributionId)).toMatchObject([{ fund_id: missions }]);
    },
  );

  it('may be sent with the id of the same fund, and not with that of another', async () => {
    await addedGift(service, { FundName: 'General', FundId: 1 });
    await invalidGift(service, { FundName: 'General', FundId: missions }, 'FundName');
  });

  it('must be the name of exactly one fund', async () => {
    await refusal(service, () => sendGift(service, { FundName: 'Roof' }), 422, 'fund_not_found');
    await query(`INSERT INTO fund (name) VALUES ('Roof'), ('R-o-o-f')`);
    const { detail } = await refusal(service, () => sendGift(service, { FundName: 'Roof' }), 422, 'fund_not_found');
    expect(detail).toContain('2 funds');
  });
});

describe('a split payment', () => {
  const SPLITS = [
    { FundId: 1, Amount: '60' },
    { fundname: 'st mary’s missions', AMOUNT: '40.00', notes: 'For the well', ContributionTypeId: 9 },
  ];

  it('becomes a contribution for each part, which share all but amount, fund, notes and type', async () => {
    const fields = { Amount: 100, Notes: 'Thanks', Source: 's', TransactionId: 'split-1', Splits: SPLITS };
    const { ContributionId } = await addedGift(service, fields);
    const parts = await partsOf(ContributionId);
    expect(parts).toEqual([
      {
        id: ContributionId,
        payment_id: ContributionId,
        amount: '60.00',
        fund_id: 1,
        notes: 'Thanks',
        contribution_type_id: 1,
      },
      {
        ...{ id: parts[1]?.id, payment_id: ContributionId, amount: '40.00', fund_id: missions },
        ...{ notes: 'For the well', contribution_type_id: 9 },
      },
    ]);
    const shared = await query<{ different: number }>(
      `SELECT count(DISTINCT (person_id, day, given_at, bundle_id, source, transaction_id, giver_email, created_by, currency))::integer
         AS different FROM contribution WHERE payment_id = $1`,
      [ContributionId],
    );
    expect(shared).toEqual([{ different: 1 }]);
  });

  it('is never a possible duplicate of itself, but of an equal gift', async () => {
    const halves = [{ Amount: '5' }, { Amount: '5.00' }];
    const sent = completeGift({ Amount: '10', Splits: halves });
    const post = async (): Promise<number> => (await firstGift(addUnder(service, newKey(), sent))).ContributionId;
    const reviews = (id: number): Promise<unknown[]> =>
      query(
        'SELECT reasons FROM review JOIN contribution c ON c.id = contribution_id WHERE payment_id = $1 ORDER BY review.id',
        [id],
      );
    expect(await reviews(await post())).toEqual([]);
    expect(await reviews(await post())).toEqual([
      { reasons: ['possible_duplicate'] },
      { reasons: ['possible_duplicate'] },
    ]);
  });

  it('gets its first answer when it is sent again, and a 422 with other parts', async () => {
    const sent = completeGift({ Amount: '100', Source: 's', TransactionId: 'split-2', Splits: SPLITS });
    const answer = await first(addUnder(service, newKey(), sent));
    const again = { ...sent, Splits: SPLITS.map((split) => Object.fromEntries(Object.entries(split).reverse())) };
    await replay(service, () => addUnder(service, newKey(), again), answer);
    for (const Splits of [[...SPLITS].reverse(), [{ Amount: '100' }], undefined])
      await refusal(service, () => addUnder(service, newKey(), { ...sent, Splits }), 422, 'transaction_id_reused');
  });

  it.each<[string, unknown]>([
    ['no part', []],
    ['21 parts', Array.from({ length: 21 }, () => ({ Amount: '1' }))],
    ['no list', { Amount: '10' }],
    ['text', '10'],
    ['a list in a list', [[{ Amount: '10' }]]],
    ['an amount', [10]],
    ['a part without an amount', [{ FundId: 1 }]],
    ['an amount of zero', [{ Amount: '10' }, { Amount: '0' }]],
    ['a negative amount', [{ Amount: '20' }, { Amount: '-10' }]],
    ['a field twice', [{ Amount: '10', amount: '1' }]],
    ['an invalid fund', [{ Amount: '10', FundId: 'one' }]],
    ['too small a sum', [{ Amount: '5' }, { Amount: '4.99' }]],
    ['too large a sum', [{ Amount: '5' }, { Amount: '5.01' }]],
  ])('refuses %s', async (_what, Splits) => {
    await invalidGift(service, { Splits }, 'Splits');
  });

  it('names both sums if they differ', async () => {
    const { detail } = await invalidGift(
      service,
      { Amount: '499.99', Splits: [{ Amount: '300' }, { Amount: '200' }] },
      'Splits',
    );
    expect(detail).toContain('500.00');
    expect(detail).toContain('499.99');
  });

  it.each([{ FundId: 1 }, { FundName: 'General' }])('refuses a fund beside the parts: %j', async (fund) => {
    await invalidGift(service, { ...fund, Splits: [{ Amount: '10' }] }, 'Splits');
  });

  it.each<[string, object, string]>([
    ['unknown fund', { FundId: 2000000001 }, 'fund_not_found'],
    ['unknown name of a fund', { FundName: 'Nothing' }, 'fund_not_found'],
    ['unknown type', { ContributionTypeId: 2000000001 }, 'contribution_type_not_allowed'],
    ['type of reversing entries', { ContributionTypeId: 7 }, 'contribution_type_not_allowed'],
  ])('stores nothing if the second part has an %s', async (_what, part, code) => {
    const Splits = [{ Amount: '5' }, { Amount: '5', ...part }];
    await refusal(service, () => sendGift(service, { Splits }), 422, code);
  });

  it('is listed for review once for its giver, and for each closed fund', async () => {
    const [closed] = await query<{ id: number }>(
      `INSERT INTO fund (name, is_open) VALUES ('Old roof', false) RETURNING id`,
    );
    const Splits = [{ Amount: '4' }, { Amount: '6', FundId: closed?.id }];
    const { ContributionId } = await addedGift(service, completeGift({ Date: '2020-05-01', Splits }));
    const reviews = await query(
      `SELECT c.amount, r.reasons FROM review r JOIN contribution c ON c.id = r.contribution_id WHERE c.payment_id = $1 ORDER BY c.id`,
      [ContributionId],
    );
    expect(reviews).toEqual([
      { amount: '4.00', reasons: ['earlier_year'] },
      { amount: '6.00', reasons: ['closed_fund'] },
    ]);
  });
});

describe('a gift of the release before, which ignored the fields of payments', () => {
  const IGNORED = [
    { Method: 'card', CheckNumber: '17', Fee: '1', PayoutId: 'po_1', FundName: 'General' },
    { Method: 'bitcoin', Fee: '-1', FundName: 'Nothing', Splits: [{ Amount: '1' }] },
    { Splits: 'none', CheckNumber: 17, PayoutId: { id: 1 }, Method: [] },
  ];

  it.each(IGNORED)('gets its first answer when it is sent again with %j', async (ignored) => {
    const [key, sent] = [newKey(), completeGift({ Source: 's', TransactionId: `old-${newKey()}` })];
    const answer = await first(addUnder(service, key, sent));
    await query('UPDATE contribution SET request_version = 2 WHERE transaction_id = $1', [sent['TransactionId']]);
    await query('UPDATE idempotency_key SET request_version = 2 WHERE key = $1', [key]);
    const again = { ...sent, ...ignored };
    await replay(service, () => addUnder(service, key, again), answer);
    await replay(service, () => addUnder(service, newKey(), again), answer);
  });
});

describe('a gift of a finished year', () => {
  const thisYear = new Date().getUTCFullYear();
  const reasonsOf = async (Date: string): Promise<unknown> => {
    const { ContributionId } = await addedGift(service, completeGift({ Date }));
    return (await query('SELECT reasons FROM review WHERE contribution_id = $1', [ContributionId]))[0];
  };

  it('is accepted, and listed for review', async () => {
    expect(await reasonsOf(`${thisYear - 1}-12-31`)).toEqual({ reasons: ['earlier_year'] });
    expect(await reasonsOf('1900-01-01')).toEqual({ reasons: ['earlier_year'] });
    expect(await reasonsOf(`${thisYear}-01-01`)).toBeUndefined();
  });
});
