import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MAX_ATTEMPTS, secondsToNextAttempt } from './retry-schedule.js';

const DAY = 24 * 3_600;
const chance = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });

/** The waits of a message whose attempts all fail at once. */
function waitsUntilGivenUp(chances: () => number, factor?: number): number[] {
  const waits: number[] = [];
  for (let tries = 1; ; tries++) {
    const wait = secondsToNextAttempt({ tries, chance: chances(), ...(factor !== undefined && { factor }) });
    if (wait === undefined) return waits;
    waits.push(wait);
  }
}

describe('the attempts of a webhook', () => {
  it('are ten, the first waits about 5 and 30 seconds', () => {
    const waits = waitsUntilGivenUp(() => 0.5);
    expect(waits).toHaveLength(9);
    expect(MAX_ATTEMPTS).toBe(10);
    expect(waits.slice(0, 2)).toEqual([5, 30]);
  });

  it('take three days with growing waits, for any random numbers', () => {
    fc.assert(
      fc.property(fc.array(chance, { minLength: 10, maxLength: 10 }), (chances) => {
        const waits = waitsUntilGivenUp(() => chances.pop() ?? 0);
        const total = waits.reduce((sum, wait) => sum + wait, 0);
        expect(total).toBeGreaterThan(2.8 * DAY);
        expect(total).toBeLessThan(3.2 * DAY);
        expect(waits).toEqual([...waits].sort((one, other) => one - other));
      }),
    );
  });

  it('spread by a tenth of the wait', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), chance, (tries, at) => {
        const planned = secondsToNextAttempt({ tries, chance: 0.5 }) ?? 0;
        const wait = secondsToNextAttempt({ tries, chance: at }) ?? 0;
        expect(Math.abs(wait / planned - 1)).toBeLessThanOrEqual(0.05 + 1e-9);
      }),
    );
  });

  it('come sooner with a factor', () => {
    const [first = 0] = waitsUntilGivenUp(() => 0.5, 0.01);
    expect(first).toBeCloseTo(0.05);
    expect(waitsUntilGivenUp(() => 0.5, 0.01)).toHaveLength(9);
  });
});
