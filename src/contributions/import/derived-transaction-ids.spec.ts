import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DerivedTransactionIds } from './derived-transaction-ids.js';

const gift = fc.record({
  First: fc.constantFrom('Ann', 'Bob'),
  Last: fc.constant('Lee'),
  Email: fc.constantFrom('a@example.org', 'b@example.org'),
  Amount: fc.constantFrom('10.00', '20.00'),
  Date: fc.constantFrom('2026-07-26', '2026-07-27').map((day) => ({ kind: 'day', day }) as const),
  Source: fc.constantFrom('a', 'b'),
});
type Gift = Parameters<DerivedTransactionIds['next']>[0];

function idsOf(gifts: readonly Gift[]): string[] {
  const ids = new DerivedTransactionIds();
  return gifts.map((each) => ids.next(each));
}

describe('the id of a row that has none', () => {
  it('is another one for each row of a file, and the same ones for the same rows in any order', () => {
    const files = fc.array(gift, { maxLength: 30 }).chain((rows) => {
      const all = { minLength: rows.length, maxLength: rows.length };
      return fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, all));
    });
    fc.assert(
      fc.property(files, ([rows, shuffled]) => {
        const ids = idsOf(rows);
        expect(new Set(ids).size).toBe(rows.length);
        expect(idsOf(shuffled).sort()).toEqual(ids.sort());
      }),
    );
  });

  it('is found again in every part of the file', () => {
    fc.assert(
      fc.property(fc.array(gift, { maxLength: 20 }), fc.nat(20), (rows, from) => {
        const all = new Set(idsOf(rows));
        for (const id of idsOf(rows.slice(from))) expect(all).toContain(id);
      }),
    );
  });

  it('stands on what tells gifts apart, and not on what may be read of the row in addition', () => {
    const one: Gift = {
      First: 'Ann',
      Last: 'Lee',
      Email: 'a@example.org',
      Amount: '10.00',
      Date: { kind: 'day', day: '2026-07-26' },
      Source: 'a',
    };
    expect(idsOf([{ ...one, Notes: 'x', FundId: 2 } as Gift])).toEqual(idsOf([one]));
    for (const change of [{ First: 'Bob' }, { Last: 'Li' }, { Email: 'b@example.org' }, { Amount: '10.01' }])
      expect(idsOf([{ ...one, ...change }])).not.toEqual(idsOf([one]));
    expect(idsOf([one])[0]).toMatch(/^row-[0-9a-f]{64}-1$/);
  });
});
