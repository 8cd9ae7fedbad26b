import { expect, it } from '@jest/globals';
import { isDay } from './day.js';

it.each(['2026-07-26', '2028-02-29', '1900-01-01'])('%s is a day', (text) => {
  expect(isDay(text)).toBe(true);
});

it.each(['2026-02-29', '2026-13-01', '2026-7-26', '7/26/2026', '2026-07-26T00:00:00Z', ' 2026-07-26', '2026-W30', ''])(
  '"%s" is not a day',
  (text) => {
    expect(isDay(text)).toBe(false);
  },
);
