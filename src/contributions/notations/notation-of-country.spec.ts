import { expect, it } from '@jest/globals';
import { notationOfCountry } from './notation-of-country.js';

it.each([
  ['US', '1,234.56'],
  ['GB', '1,234.56'],
  ['MX', '1,234.56'],
  ['EG', '1,234.56'],
  ['DE', '1.234,56'],
  ['BR', '1.234,56'],
  ['FR', '1.234,56'],
])('amounts in %s are written like %s', (country, notation) => {
  expect(notationOfCountry(country)).toBe(notation);
});
