import { describe, expect, it } from '@jest/globals';
import { storedAmount } from '../../../../values/index.js';
import type { CauseFacts } from './cause-facts.js';
import { type ComparedDeposit, likelyCauses } from './likely-causes.js';

const NO_FACTS: CauseFacts = {
  unknown: [],
  missing: [],
  reversed: [],
  otherFees: [],
  unknownFees: [],
  equalGifts: [],
  equalReversals: [],
  equalItems: [],
};

const deposit = (difference: string | null, amounts: Partial<ComparedDeposit> = {}): ComparedDeposit => ({
  currency: 'USD',
  difference,
  amount: null,
  bankAmount: null,
  ...amounts,
});

/** An item that is named by a transaction id. */
const unknown = (itemId: number, held: Partial<CauseFacts['unknown'][number]> = {}): CauseFacts['unknown'][number] => ({
  itemId,
  isReversal: false,
  contributionId: null,
  transactionId: `T-${itemId}`,
  refundId: null,
  paymentId: null,
  net: null,
  inDeposit: null,
  ...held,
});

const causes = (difference: string | null, facts: Partial<CauseFacts>, amounts: Partial<ComparedDeposit> = {}) =>
  likelyCauses(deposit(difference, amounts), { ...NO_FACTS, ...facts });

describe('likely causes', () => {
  it('are none without facts, and without anything to compare with', () => {
    expect(causes('1.00', {})).toEqual([]);
    expect(causes(null, { unknownFees: [1], unknown: [unknown(1)] })).toEqual([]);
  });

  it.each<[string, string, Partial<CauseFacts>, Partial<ComparedDeposit>, object]>([
    [
      'an item that is not in the books',
      '9.41',
      { unknown: [unknown(3)] },
      {},
      {
        code: 'not_in_books',
        words: '1 item is not in the books: TransactionId T-3.',
        count: 1,
        amount: null,
        explains: false,
        itemIds: [3],
        contributionIds: [],
      },
    ],
    [
      'a reversal that is not in the books',
      '-9.41',
      { unknown: [unknown(3, { isReversal: true, contributionId: 17, transactionId: null, refundId: 're_1' })] },
      {},
      { code: 'not_in_books', words: '1 item is not in the books: the reversal re_1 of contribution 17.' },
    ],
    [
      'an item in another deposit',
      '9.41',
      { unknown: [unknown(3, { paymentId: 8, net: storedAmount('9.41'), inDeposit: 6 })] },
      {},
      {
        code: 'in_other_deposit',
        words: '1 item is in another deposit (deposit 6): USD 9.41 without fees.',
        amount: '9.41',
        explains: true,
        itemIds: [3],
        contributionIds: [8],
      },
    ],
    [
      'gifts of the payout in other deposits',
      '30.00',
      {
        missing: [
          { paymentId: 8, net: storedAmount('10.00'), inDeposit: 6 },
          { paymentId: 9, net: storedAmount('5.00'), inDeposit: 7 },
        ],
      },
      {},
      {
        code: 'in_other_deposit',
        words: '2 gifts of this payout are in another deposit (deposits 6, 7): USD 15.00 without fees.',
        amount: '15.00',
        explains: false,
        contributionIds: [8, 9],
      },
    ],
    [
      'a gift of the payout in no deposit',
      '10.00',
      { missing: [{ paymentId: 8, net: storedAmount('10.00'), inDeposit: null }] },
      {},
      {
        code: 'payout_incomplete',
        words: '1 gift of this payout is in no deposit: USD 10.00 without fees.',
        amount: '10.00',
        explains: true,
      },
    ],
    [
      'what was taken back since',
      '-7.50',
      {
        reversed: [
          { reversalId: 21, amount: storedAmount('5.00') },
          { reversalId: 23, amount: storedAmount('2.50') },
        ],
      },
      {},
      {
        code: 'reversed_since',
        words: '2 reversals of these gifts are in no deposit: USD 7.50 taken back.',
        amount: '-7.50',
        explains: true,
        contributionIds: [21, 23],
      },
    ],
    [
      'fees that differ',
      '0.10',
      {
        otherFees: [
          { itemId: 1, higher: storedAmount('0.25') },
          { itemId: 2, higher: storedAmount('-0.15') },
        ],
      },
      {},
      {
        code: 'fee_differs',
        words: 'The fees of 2 items differ from what came with the gift: together by USD 0.10.',
        amount: '0.10',
        explains: true,
        itemIds: [1, 2],
      },
    ],
    [
      'a fee that nobody knows',
      '-0.59',
      { unknownFees: [4] },
      {},
      { code: 'fee_unknown', words: 'The fee of 1 item is unknown, and counts as 0.', amount: null, explains: false },
    ],
    [
      'a bank that received something else',
      '-0.01',
      {},
      { amount: '1610.66', bankAmount: '1610.65' },
      {
        code: 'bank_amount_differs',
        words: 'The bank received USD 1610.65, and the processor says that it paid USD 1610.66.',
        amount: '-0.01',
        explains: true,
      },
    ],
    [
      'a gift that is exactly as large',
      '10.00',
      { equalGifts: [17, 12] },
      {},
      {
        code: 'gift_missing',
        words: '2 gifts in no deposit are each exactly as large: 17, 12.',
        amount: '10.00',
        explains: true,
        contributionIds: [17, 12],
      },
    ],
    [
      'a reversal that is exactly as large',
      '-10.00',
      { equalReversals: [17] },
      {},
      { code: 'reversal_missing', words: '1 reversal in no deposit is exactly as large: 17.', amount: '-10.00' },
    ],
    [
      'an item that is exactly as large',
      '-10.00',
      { equalItems: [{ itemId: 5, paymentId: 3 }] },
      {},
      {
        code: 'item_too_many',
        words: '1 item of the deposit is exactly as large. It may have been refunded or charged back.',
        contributionIds: [3],
        explains: true,
        itemIds: [5],
      },
    ],
  ])('name %s', (_what, difference, facts, amounts, expected) => {
    expect(causes(difference, facts, amounts)).toMatchObject([expected]);
  });

  it('begin with those that explain the whole difference', () => {
    const facts = {
      unknown: [unknown(1)],
      unknownFees: [2],
      reversed: [{ reversalId: 9, amount: storedAmount('3.00') }],
    };
    expect(causes('-3.00', facts).map(({ code }) => code)).toEqual(['reversed_since', 'not_in_books', 'fee_unknown']);
  });

  it('of a deposit without a difference are only what keeps it from being reconciled', () => {
    const held = unknown(2, { paymentId: 8, net: storedAmount('0.00'), inDeposit: 6 });
    const facts = { unknown: [unknown(1), held], unknownFees: [3], equalItems: [{ itemId: 4, paymentId: 2 }] };
    const found = causes('0.00', facts);
    expect(found.map(({ code, explains }) => [code, explains])).toEqual([
      ['not_in_books', false],
      ['in_other_deposit', false],
    ]);
  });

  it('do not name a gift twice that the deposit names and that is of its payout', () => {
    const facts = {
      unknown: [unknown(3, { paymentId: 8, net: storedAmount('9.41'), inDeposit: 6 })],
      missing: [{ paymentId: 8, net: storedAmount('9.41'), inDeposit: 6 }],
    };
    expect(causes('9.41', facts)).toHaveLength(1);
  });

  it('have at most 5 names and 50 ids', () => {
    const items = Array.from({ length: 60 }, (_, index) => unknown(index + 1));
    const [cause] = causes('9.41', { unknown: items });
    expect(cause?.words).toBe(
      `60 items are not in the books: ${[1, 2, 3, 4, 5].map((id) => `TransactionId T-${id}`).join(', ')} and 55 others.`,
    );
    expect([cause?.count, cause?.itemIds.length]).toEqual([60, 50]);
    expect(causes('9.41', { unknown: items.slice(0, 6) })[0]?.words).toContain(' and 1 other.');
  });

  it('are in the decimals of the currency', () => {
    const yen = { ...deposit('-100'), currency: 'JPY' };
    const [cause] = likelyCauses(yen, { ...NO_FACTS, reversed: [{ reversalId: 9, amount: storedAmount('100.00') }] });
    expect(cause).toMatchObject({
      amount: '-100',
      explains: true,
      words: '1 reversal of these gifts is in no deposit: JPY 100 taken back.',
    });
  });
});
