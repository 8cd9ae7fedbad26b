import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { lastAmountIn } from './amount-in-line.js';
import type { AmountNotation } from './cell-amount.js';

const read = (line: string, notation: AmountNotation = '1,234.56'): string | undefined =>
  lastAmountIn(line, notation, 2)?.text;

describe('the last amount in a line', () => {
  it.each([
    ['CREDIT 800.00', '800.00'],
    ['CREDIT $1,234.50', '1234.50'],
    ['CREDIT 1,234,567.50 USD', '1234567.50'],
    ['800.00 then 12.34', '12.34'],
    ['800.00 ref 4711', '800.00'],
    ['CREDIT 800', '800'],
    ['ref 4711 CREDIT 800', '800'],
    ['a,b,800.00,', '800.00'],
    ['a,800.00,5000.00', '5000.00'],
    ['"a","1,800.00"', '1800.00'],
    ['a\t-20.00', '-20.00'],
    ['-$20.00', '-20.00'],
    ['$-20.00', '-20.00'],
    ['20.00-', '-20.00'],
    ['(20.00)', '-20.00'],
    ['($20.00)', '-20.00'],
    ['\u221220.00', '-20.00'],
    ['TRANSFER - 20.00', '20.00'],
    ['20.00 - fee', '20.00'],
    ['(see 20.00)', '20.00'],
    ["1'234.50", '1234.50'],
    ['14:30 800.00 at 5%', '800.00'],
    ['-20.00-', undefined],
    ['(-20.00)', undefined],
    ['', undefined],
    ['no number', undefined],
    ['1.234,50', undefined],
    ['1,234,50', undefined],
    ['1,23,456.00', undefined],
    ['12,50', undefined],
    ['800.5', undefined],
    ['x-800.00', undefined],
    ['A800.00', undefined],
    ['11/25', undefined],
  ])('%j', (line, expected) => {
    expect(read(line)).toBe(expected);
  });

  it.each([
    ['Gutschrift 1.234,50 \u20ac', '1234.50'],
    ['Gutschrift;1.234,50;EUR', '1234.50'],
    ['Gutschrift 800,00-', '-800.00'],
    ['Gutschrift 1\u202f234,50', '1234.50'],
    ['Gutschrift 1,234.50', undefined],
    ['Gutschrift 800.00', undefined],
  ])('with decimal commas: %j', (line, expected) => {
    expect(read(line, '1.234,56')).toBe(expected);
  });

  it('has the currency beside it', () => {
    expect(lastAmountIn('a \u20ac20.00', '1,234.56', 2)?.currencies).toEqual(['EUR']);
    expect(lastAmountIn('a 20.00 CAD', '1,234.56', 2)?.currencies).toEqual(['CAD']);
    expect(lastAmountIn('REF 20.00', '1,234.56', 2)?.currencies).toBeUndefined();
    expect(lastAmountIn('a 20.00 b', '1,234.56', 2)?.currencies).toBeUndefined();
  });

  it('has no decimals in a currency without such', () => {
    expect(lastAmountIn('1,234', '1,234.56', 0)?.text).toBe('1234');
    expect(lastAmountIn('12.34', '1,234.56', 0)).toBeUndefined();
  });

  it('is read as it was written, whatever words stand around it', () => {
    const word = fc.stringMatching(/^[A-Za-z]{4,9}$/);
    fc.assert(
      fc.property(
        fc.integer({ min: -99_999_999, max: 99_999_999 }),
        word,
        word,
        fc.boolean(),
        (cents, a, b, isComma) => {
          const point = (Math.abs(cents) / 100).toFixed(2);
          const [whole = '', decimals = ''] = point.split('.');
          const grouped =
            whole.replaceAll(/\B(?=(?:\d{3})+$)/g, isComma ? '.' : ',') + (isComma ? ',' : '.') + decimals;
          const minus = cents < 0 ? '-' : '';
          expect(read(`${a} ${minus}${grouped} ${b}`, isComma ? '1.234,56' : '1,234.56')).toBe(minus + point);
        },
      ),
    );
  });

  it('is text of digits or nothing, for any line', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...Array.from('12.,-() $aA:/')), maxLength: 30 }), (line) => {
        expect(read(line) ?? '0').toMatch(/^-?\d+(\.\d\d)?$/);
      }),
      { numRuns: 2000 },
    );
  });
});
