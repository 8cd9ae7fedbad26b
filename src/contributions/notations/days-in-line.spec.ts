import { expect, it } from '@jest/globals';
import { takeDays } from './days-in-line.js';

it.each([
  ['2026-11-25 a', 'M/D/Y', ['2026-11-25']],
  ['a 11/25/2026 b 11/26/2026', 'M/D/Y', ['2026-11-25', '2026-11-26']],
  ['25/11/2026', 'D/M/Y', ['2026-11-25']],
  ['25.11.2026;a', 'D/M/Y', ['2026-11-25']],
  ['"Nov 25, 2026"', 'M/D/Y', ['2026-11-25']],
  ['25 Nov 2026', undefined, ['2026-11-25']],
  ['2026-02-31', 'M/D/Y', []],
  ['11/25/2026', 'D/M/Y', []],
  ['3/4/2026', undefined, []],
  ['A2026-11-25', 'M/D/Y', []],
  ['11/25 a', 'M/D/Y', []],
] as const)('the days of %j in the order %s are %j', (line, order, days) => {
  expect(takeDays(line, order).days).toEqual(days);
});

it('leaves no part of a date behind, whether it can be read or not', () => {
  expect(takeDays('a 3/4/2026 b 2026-02-31 5', undefined).rest.replaceAll(/ +/g, ' ')).toBe('a b 5');
});
