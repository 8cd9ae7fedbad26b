import { describe, expect, it } from '@jest/globals';
import { withDecimals, type MinorUnits, minorUnitsOf } from './currency.js';

describe('withDecimals', () => {
  it.each<[string, MinorUnits, string]>([
    ['1000.00', 0, '1000'],
    ['-1000.00', 0, '-1000'],
    ['1000.00', 2, '1000.00'],
    ['-10.50', 2, '-10.50'],
    ['10.50', 1, '10.5'],
    ['1000.50', 0, '1000.50'],
    ['10.05', 1, '10.05'],
  ])('shows %s with %d decimals as %s', (amount, minorUnits, shown) => {
    expect(withDecimals(amount, minorUnits)).toBe(shown);
  });
});

describe('minorUnitsOf', () => {
  it.each([
    ['USD', 2],
    ['EUR', 2],
    ['COP', 2],
    ['HUF', 2],
    ['IDR', 2],
    ['JPY', 0],
    ['KRW', 0],
    ['KWD', undefined],
    ['IQD', undefined],
  ])('%s has %s decimals by ISO 4217', (code, minorUnits) => {
    expect(minorUnitsOf(code)).toBe(minorUnits);
  });
});
