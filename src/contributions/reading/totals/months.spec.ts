import { expect, it } from '@jest/globals';
import { lastMonths, monthsBetween } from './months.js';

it.each([
  ['2026-01', '2026-01', ['2026-01']],
  ['2025-11', '2026-02', ['2025-11', '2025-12', '2026-01', '2026-02']],
])('from %s to %s', (first, last, months) => {
  expect(monthsBetween(first, last)).toEqual(months);
});

it('the last months end with that of the day', () => {
  expect(lastMonths('2026-02-28', 3)).toEqual(['2025-12', '2026-01', '2026-02']);
  expect(lastMonths('2026-12-31', 12)).toEqual(monthsBetween('2026-01', '2026-12'));
});
