import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Turns } from './turns.js';

const IDLE_MS = 5_000;
const TOTAL_MS = 10_000;

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** Waits for a turn. @returns after how many milliseconds it came or was refused. */
async function waitIn(turns: Turns): Promise<{ came: boolean; milliseconds: number }> {
  const begin = performance.now();
  const end = await turns.take(IDLE_MS, begin + TOTAL_MS);
  return { came: end !== undefined, milliseconds: Math.round(performance.now() - begin) };
}

it('a wait ends after five seconds without success of another call', async () => {
  const turns = new Turns(1);
  await turns.take(IDLE_MS, Infinity);
  const wait = waitIn(turns);
  await jest.advanceTimersByTimeAsync(TOTAL_MS);
  expect(await wait).toEqual({ came: false, milliseconds: IDLE_MS });
});

it('a wait ends after ten seconds although other calls succeed', async () => {
  const turns = new Turns(1);
  const others = Array.from({ length: 20 }, async () => {
    const end = await turns.take(IDLE_MS, Infinity);
    setTimeout(() => end?.(true), 1_000);
  });
  const wait = waitIn(turns);
  await jest.advanceTimersByTimeAsync(30_000);
  await Promise.all(others);
  expect(await wait).toEqual({ came: false, milliseconds: TOTAL_MS });
});
