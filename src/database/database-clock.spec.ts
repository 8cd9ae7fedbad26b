import { beforeEach, describe, expect, it } from '@jest/globals';
import { DatabaseClock } from './database-clock.js';
import type { Transactions } from './transactions/transactions.js';

const HOUR = 3_600_000;
/** The time of the database, far from that of this machine. */
const THEN = Date.parse('2031-05-17T12:00:00Z');

/** How often the clock has queried the database. */
let asked: number;
/** A database whose clock shows `time`; undefined means that it does not answer. */
function databaseAt(time: () => number | undefined): Transactions {
  const query = (): Promise<{ time: number }[]> => {
    asked++;
    const now = time();
    return now === undefined ? Promise.reject(new Error('away')) : Promise.resolve([{ time: now }]);
  };
  return { query } as unknown as Transactions;
}

async function started(time: () => number | undefined = () => THEN): Promise<DatabaseClock> {
  const clock = new DatabaseClock(databaseAt(time));
  await clock.onModuleInit();
  return clock;
}

/** The difference between the clock and a time, in milliseconds. */
const off = (clock: DatabaseClock, time: number): number => Math.abs(clock.now().getTime() - time);

beforeEach(() => {
  asked = 0;
});

describe('the clock of the database', () => {
  it('is read once at the start, and then runs without further queries', async () => {
    const clock = await started();
    const begin = performance.now();
    while (performance.now() - begin < 20);
    const elapsed = performance.now() - begin;
    expect(off(clock, THEN + elapsed)).toBeLessThan(500);
    expect(asked).toBe(1);
  });

  it('throws before it was read', () => {
    expect(() => new DatabaseClock(databaseAt(() => THEN)).now()).toThrow(/not been read/);
  });

  it.each([25 * HOUR, -25 * HOUR, 3_000])('follows at once when the clock is changed by %i ms', async (by) => {
    const clock = await started();
    clock.applyReading(THEN + by, performance.now());
    expect(off(clock, THEN + by)).toBeLessThan(500);
  });

  it('does not follow an answer that was only late', async () => {
    const clock = await started();
    const before = clock.now().getTime();
    // The time was read right after the query, and the answer took two seconds.
    clock.applyReading(before - 2_000, performance.now() - 2_001);
    expect(off(clock, before)).toBeLessThan(500);
    // The time was read just before the answer arrived.
    clock.applyReading(clock.now().getTime(), performance.now() - 2_000);
    expect(off(clock, before)).toBeLessThan(500);
  });
});
