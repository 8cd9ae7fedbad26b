import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type AmountNotation, readCellAmount, withoutSign } from './cell-amount.js';

const read = (cell: string, notation: AmountNotation, currency = 'USD'): unknown => {
  const amount = readCellAmount(cell, notation, currency);
  return amount?.otherCurrency === undefined ? amount?.text : [amount.text, amount.otherCurrency];
};

describe('an amount of a file', () => {
  it.each([
    ['1,234.56', '1234.56'],
    ['1234.56', '1234.56'],
    ['12', '12'],
    ['$1,234.56', '1234.56'],
    ['US$ 5', '5'],
    ['USD 1,234.56', '1234.56'],
    ['1,234.56 usd', '1234.56'],
    ['-$5.00', '-5.00'],
    ['$-5.00', '-5.00'],
    ['5.00-', '-5.00'],
    ['\u{2212}5.00', '-5.00'],
    ['($5.00)', '-5.00'],
    [' 1,234,567.00\u{A0}', '1234567.00'],
    ['€5', ['5', 'EUR']],
    ['CAD 5', ['5', 'CAD']],
    ['TRY 5', ['5', 'TRY']],
  ])('in 1,234.56 is read: %j', (cell, expected) => {
    expect(read(cell, '1,234.56')).toEqual(expected);
  });

  it.each([
    '1.234,56',
    '1,23',
    '12,34.00',
    '1,2345.00',
    '',
    '$',
    'ten',
    '5 apples',
    '--5',
    '(-5)',
    '1 234',
    '5..0',
    '1,234.',
    'e5',
  ])('in 1,234.56 is refused: %j', (cell) => {
    expect(read(cell, '1,234.56')).toBeUndefined();
  });

  it.each([
    ['1.234,56', '1234.56'],
    ['1234,5', '1234.5'],
    ['1.234', '1234'],
    ['1.234,56 €', '1234.56'],
    ['EUR -12,00', '-12.00'],
  ])('in 1.234,56 is read: %j', (cell, expected) => {
    expect(read(cell, '1.234,56', 'EUR')).toEqual(expected);
  });

  it.each(['1,234.56', '10.50', '1.23', '1.2345,00'])('in 1.234,56 is refused: %j', (cell) => {
    expect(read(cell, '1.234,56', 'EUR')).toBeUndefined();
  });

  it('is exact in both notations, for every number of cents', () => {
    const cents = fc.bigInt({ min: 0n, max: 99_999_999_999n });
    fc.assert(
      fc.property(cents, fc.boolean(), fc.constantFrom('', '$', 'USD '), (count, isNegative, beside) => {
        const whole = String(count / 100n);
        const decimals = String(count % 100n).padStart(2, '0');
        const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
        const text = `${isNegative ? '-' : ''}${whole}.${decimals}`;
        const english = `${isNegative ? '-' : ''}${beside}${grouped}.${decimals}`;
        expect(read(english, '1,234.56')).toBe(text);
        const european = english.replaceAll(',', ';').replace('.', ',').replaceAll(';', '.');
        expect(read(european, '1.234,56')).toBe(text);
      }),
    );
  });

  it.each([
    ['-1.23', '1.23'],
    ['\u{2212}1.23', '1.23'],
    ['1.23', '1.23'],
    ['-', '-'],
  ])('without its sign: %j', (cell, expected) => {
    expect(withoutSign(cell)).toBe(expected);
  });
});
