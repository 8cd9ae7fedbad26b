import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { secondsToNextTry } from './retry-schedule.js';

const THREE_DAYS = 3 * 24 * 3_600;

/** The waits of a delivery whose attempts all fail immediately. */
function waitsUntilGivenUp(chances: () => number, firstTryAt = 0): number[] {
  const waits: number[] = [];
  for (let age = firstTryAt, tries = 1; ; tries++) {
    const wait = secondsToNextTry(tries, age, chances());
    if (wait === undefined) return waits;
    waits.push(wait);
    age += wait;
  }
}

describe('the retry schedule', () => {
  it('starts with seconds, doubles and ends with one hour', () => {
    const waits = [1, 2, 3, 4, 10, 11, 12, 50].map((tries) => secondsToNextTry(tries, 0, 0));
    expect(waits).toEqual([5, 10, 20, 40, 2_560, 3_600, 3_600, 3_600]);
  });

  it('retries for three days and at most an hour longer, for any random numbers', () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })), (stream) => {
        const waits = waitsUntilGivenUp(() => stream.next().value as number);
        const total = waits.reduce((sum, wait) => sum + wait, 0);
        expect(total).toBeGreaterThanOrEqual(THREE_DAYS);
        expect(total).toBeLessThanOrEqual(THREE_DAYS + 3_600);
        expect(waits.every((wait) => wait >= 3.75 && wait <= 3_600)).toBe(true);
      }),
    );
  });

  it('scales all times by the factor', () => {
    expect(secondsToNextTry(3, 0, 0, 0.01)).toBe(0.2);
    expect(secondsToNextTry(12, THREE_DAYS / 100 - 1, 0, 0.01)).toBe(36);
    expect(secondsToNextTry(12, THREE_DAYS / 100, 0, 0.01)).toBeUndefined();
  });

  it('waits for between three quarters and all of the growing wait', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 200 }),
        fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
        (tries, chance) => {
          const full = secondsToNextTry(tries, 0, 0) ?? 0;
          const wait = secondsToNextTry(tries, 0, chance) ?? 0;
          expect(wait).toBeLessThanOrEqual(full);
          expect(wait).toBeGreaterThanOrEqual(full * 0.75);
        },
      ),
    );
  });

  it('does not give up on a week-old delivery after its first failure', () => {
    expect(waitsUntilGivenUp(() => 0, 7 * 24 * 3_600)).toHaveLength(11);
  });
});
