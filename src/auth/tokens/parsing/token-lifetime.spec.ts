import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readLifetime } from './token-lifetime.js';

it('reads days and hours, up to ten years', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3_650 }), (days) => {
      expect(readLifetime(`${days}d`)).toEqual({ value: days * 24 });
    }),
  );
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 87_600 }), (hours) => {
      expect(readLifetime(`${hours}h`)).toEqual({ value: hours });
    }),
  );
});

it.each([
  '',
  '0d',
  '0h',
  '-1d',
  '+1d',
  '01d',
  '1',
  'd',
  '1.5d',
  '1e3d',
  '365 d',
  '365D',
  '1w',
  '1y',
  '3651d',
  '87601h',
  '9999999d',
  '٣d',
])('refuses %j', (text) => {
  expect(readLifetime(text)).toEqual({
    fault: 'must be a number of days or hours, such as 365d or 12h, of at most 3650 days',
  });
});

it('refuses every text of another form', () => {
  fc.assert(
    fc.property(
      fc.string().filter((text) => !/^[1-9]\d*[dh]$/.test(text)),
      (text) => {
        expect(readLifetime(text)).toHaveProperty('fault');
      },
    ),
  );
});
