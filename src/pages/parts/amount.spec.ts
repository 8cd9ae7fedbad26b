import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { groupedAmount, roundedAmount } from './amount.js';

it.each([
  ['0.00', '0.00'],
  ['10', '10'],
  ['999.99', '999.99'],
  ['1000.00', '1,000.00'],
  ['-1234567.5', '−1,234,567.5'],
  ['99999999999999.99', '99,999,999,999,999.99'],
])('%s is shown as %s', (amount, shown) => {
  expect(groupedAmount(amount)).toBe(shown);
});

it('loses no digit of any amount', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^-?(0|[1-9]\d{0,20})(\.\d\d)?$/), (amount) => {
      expect(groupedAmount(amount).replaceAll(',', '').replace('−', '-')).toBe(amount);
    }),
  );
});

it.each(['', 'USD 5', '1e5', '1,000.00', '.5'])('%j is no amount', (text) => {
  expect(() => groupedAmount(text)).toThrow('An amount is decimal text');
});

it.each([
  ['341118.50', '341,119'],
  ['341118.49', '341,118'],
  ['-12.75', '−13'],
  ['-0.20', '0'],
  ['99999999999999.49', '99,999,999,999,999'],
])('%s without decimals is %s', (amount, shown) => {
  expect(roundedAmount(amount)).toBe(shown);
});
