import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Remainder, spread } from './spread.js';

const gifts = (...left: readonly bigint[]): Remainder[] => left.map((each, index) => ({ id: index + 1, left: each }));
const taken = (amount: bigint, ...left: readonly bigint[]): (readonly [number, bigint])[] =>
  spread(amount, gifts(...left)).map((each) => [each.id, each.taken]);

describe('spreading an amount', () => {
  it('over one gift takes it all from there', () => {
    expect(taken(300n, 1000n)).toEqual([[1, 300n]]);
  });

  it('is in proportion to what is left', () => {
    expect(taken(500n, 700n, 300n)).toEqual([
      [1, 350n],
      [2, 150n],
    ]);
  });

  it('gives the units that do not divide to the largest remainders, and of equal ones to the lower ids', () => {
    expect(taken(100n, 1n, 1n, 100n)).toEqual([
      [1, 1n],
      [2, 1n],
      [3, 98n],
    ]);
    expect(taken(2n, 5n, 5n, 5n)).toEqual([
      [1, 1n],
      [2, 1n],
    ]);
    expect(taken(5n, 3n, 3n, 6n)).toEqual([
      [1, 1n],
      [2, 1n],
      [3, 3n],
    ]);
  });

  it('leaves out gifts from which nothing is taken', () => {
    expect(taken(1n, 1n, 0n, 1000n)).toEqual([[3, 1n]]);
    expect(taken(0n, 5n)).toEqual([]);
    expect(taken(5n, 0n, 5n)).toEqual([[2, 5n]]);
  });

  it('refuses more than is left, and less than nothing', () => {
    expect(() => taken(6n, 5n)).toThrow(RangeError);
    expect(() => taken(-1n, 5n)).toThrow(RangeError);
    expect(() => taken(1n)).toThrow(RangeError);
  });

  const cases = fc
    .uniqueArray(
      fc.record({ id: fc.integer({ min: 1, max: 2 ** 31 - 1 }), left: fc.bigInt({ min: 0n, max: 10n ** 12n }) }),
      {
        minLength: 1,
        maxLength: 20,
        selector: ({ id }) => id,
      },
    )
    .chain((parts) => {
      const total = parts.reduce((sum, { left }) => sum + left, 0n);
      return fc.record({ parts: fc.constant(parts), amount: fc.bigInt({ min: 0n, max: total }) });
    });

  it('adds up exactly, takes from no gift more than is left, and nothing from none', () => {
    fc.assert(
      fc.property(cases, ({ parts, amount }) => {
        const result = spread(amount, parts);
        expect(result.reduce((sum, each) => sum + each.taken, 0n)).toBe(amount);
        const left = new Map(parts.map((part) => [part.id, part.left]));
        for (const each of result) {
          expect(each.taken).toBeGreaterThan(0n);
          expect(each.taken).toBeLessThanOrEqual(left.get(each.id) ?? 0n);
        }
        expect(result.map(({ id }) => id)).toEqual(result.map(({ id }) => id).sort((a, b) => a - b));
      }),
    );
  });

  it('is less than a unit away from the exact proportion', () => {
    fc.assert(
      fc.property(cases, ({ parts, amount }) => {
        const total = parts.reduce((sum, { left }) => sum + left, 0n);
        const result = new Map(spread(amount, parts).map((each) => [each.id, each.taken]));
        for (const { id, left } of parts) {
          const difference = (result.get(id) ?? 0n) * total - amount * left;
          expect(difference < total && difference > -total).toBe(total > 0n);
        }
      }),
      { examples: [[{ parts: [{ id: 1, left: 1n }], amount: 1n }]] },
    );
  });

  it('does not depend on the order of the gifts', () => {
    fc.assert(
      fc.property(cases, ({ parts, amount }) => {
        expect(spread(amount, [...parts].reverse())).toEqual(spread(amount, parts));
      }),
    );
  });
});
