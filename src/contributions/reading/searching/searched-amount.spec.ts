import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { searchedAmount } from './searched-amount.js';

it.each([
  ['25', '25.00'],
  ['25.5', '25.50'],
  ['$1,234.56', '1234.56'],
  ['1,234.56 USD', '1234.56'],
  ['USD 25', '25.00'],
  ['1.234,56 €', '1234.56'],
  ['1 234,56', '1234.56'],
  ['1’234’567.80', '1234567.80'],
  ['1,234', '1234.00'],
  ['1.234', '1234.00'],
  ['0025', '25.00'],
  ['12,5', '12.50'],
  [' $ 25.00 ', '25.00'],
])('%j means %s', (text, amount) => {
  expect(searchedAmount(text, 2)).toBe(amount);
});

it.each([
  '',
  '0',
  '-5',
  '1,23,4',
  '1,234,56',
  '25.0012',
  '1.2.3',
  'C25',
  '25%',
  'ten',
  '$',
  '12345678901',
  '1e3',
  '$$5',
])('%j is no amount', (text) => {
  expect(searchedAmount(text, 2)).toBeUndefined();
});

it('a currency without decimals has none', () => {
  expect(searchedAmount('¥1,000', 0)).toBe('1000.00');
  expect(searchedAmount('1000.50', 0)).toBeUndefined();
});

it('every amount is read in the notations of several countries', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 99_999_999_999 }),
      fc.constantFrom('en-US', 'de-DE', 'de-CH', 'fr-FR'),
      (cents, locale) => {
        const stored = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
        const written = new Intl.NumberFormat(locale, { minimumFractionDigits: 2 }).format(cents / 100);
        expect(searchedAmount(written, 2)).toBe(stored);
        expect(searchedAmount(stored, 2)).toBe(stored);
      },
    ),
  );
});
