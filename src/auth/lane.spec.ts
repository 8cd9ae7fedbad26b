import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Lane, LaneFullError, MIN_STATEMENT_MS } from './lane.js';

const LIMITS = { concurrency: 1, waiting: 2, milliseconds: 2_000 };

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

interface Outcome {
  /** How many milliseconds were left for the work; 'refused' if it was not done. */
  readonly left: number | 'refused';
  readonly milliseconds: number;
}

/** Runs work that takes so long. */
async function runIn(lane: Lane, duration: number): Promise<Outcome> {
  const begin = performance.now();
  const outcome = (left: number | 'refused'): Outcome => ({
    left: left === 'refused' ? left : Math.round(left),
    milliseconds: Math.round(performance.now() - begin),
  });
  try {
    return await lane.run(async (left) => {
      await new Promise((resolve) => setTimeout(resolve, duration));
      return outcome(left);
    });
  } catch (error) {
    if (!(error instanceof LaneFullError)) throw error;
    return outcome('refused');
  }
}

async function all(runs: readonly Promise<Outcome>[]): Promise<Outcome[]> {
  await jest.advanceTimersByTimeAsync(60_000);
  return Promise.all(runs);
}

it('work is done in turn, and knows how much time is left for it', async () => {
  const lane = new Lane(LIMITS);
  expect(await all([runIn(lane, 700), runIn(lane, 700), runIn(lane, 100)])).toEqual([
    { left: 2_000, milliseconds: 700 },
    { left: 1_300, milliseconds: 1_400 },
    { left: 600, milliseconds: 1_500 },
  ]);
});

it('work is refused at once when too much waits', async () => {
  const lane = new Lane(LIMITS);
  const outcomes = await all([100, 100, 100, 100].map((duration) => runIn(lane, duration)));
  expect(outcomes.map(({ left }) => left)).toEqual([2_000, 1_900, 1_800, 'refused']);
  expect(outcomes[3]?.milliseconds).toBe(0);
});

it('work is refused as soon as there is not enough time left for it', async () => {
  const lane = new Lane(LIMITS);
  const outcomes = await all([5_000, 100].map((duration) => runIn(lane, duration)));
  expect(outcomes[1]).toEqual({ left: 'refused', milliseconds: 2_000 - MIN_STATEMENT_MS });
  expect((await all([runIn(lane, 100)]))[0]?.left).toBe(2_000);
});
