import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fromCents, toCents } from './cents.js';
import { storedAmount } from './currency.js';

it.each([
  ['0.00', 0n],
  ['0.01', 1n],
  ['0.10', 10n],
  ['10.05', 1005n],
  ['999999999.99', 99_999_999_999n],
])('%s is %p hundredths', (amount, cents) => {
  expect(toCents(storedAmount(amount))).toBe(cents);
  expect(fromCents(cents)).toBe(amount);
});

it('no amount is changed by both ways', () => {
  fc.assert(fc.property(fc.bigInt({ min: 0n, max: 10n ** 14n }), (cents) => toCents(fromCents(cents)) === cents));
});
