import { expect, it } from '@jest/globals';
import { lastMonths, monthsBetween, yearBefore } from './months.js';

it.each([
  ['2026-01', '2026-01', ['2026-01']],
  ['2025-11', '2026-02', ['2025-11', '2025-12', '2026-01', '2026-02']],
])('from %s to %s', (first, last, months) => {
  expect(monthsBetween(first, last)).toEqual(months);
});

it('the same months of the year before', () => {
  expect(yearBefore(['2026-10', '2026-11'])).toEqual(['2025-10', '2025-11']);
});

it('the last months end with that of the day', () => {
  expect(lastMonths('2026-02-28', 3)).toEqual(['2025-12', '2026-01', '2026-02']);
  expect(lastMonths('2026-12-31', 12)).toEqual(monthsBetween('2026-01', '2026-12'));
});
