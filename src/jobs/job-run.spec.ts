import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { JobRun } from './job-run.js';
import { LEASE_SECONDS } from './job-statements.js';
import type { QueueDatabase } from './queue-database.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** Starts a run whose handler ends when it is aborted. `abortedAt` is in milliseconds after the claim. */
function startRun(query: () => Promise<unknown[]>): { abortedAt: () => number | undefined } {
  const claimedAt = performance.now();
  let abortedAt: number | undefined;
  const handler = (_data: object, { signal }: { signal: AbortSignal }): Promise<void> =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        abortedAt = performance.now() - claimedAt;
        reject(signal.reason as Error);
      });
    });
  const job = { id: 'a', attempts: 1, data: {} };
  new JobRun(job, claimedAt, { queue: 'test', handler }, { query } as unknown as QueueDatabase, 10_000);
  return { abortedAt: () => abortedAt };
}

it('is aborted five seconds before its lease ends if no renewal succeeds', async () => {
  const { abortedAt } = startRun(() => Promise.reject(new Error('The database is away')));
  await jest.advanceTimersByTimeAsync(LEASE_SECONDS * 1_000);
  expect(abortedAt()).toBe((LEASE_SECONDS - 5) * 1_000);
});

it('is aborted at once if another process has its job', async () => {
  const { abortedAt } = startRun(() => Promise.resolve([]));
  await jest.advanceTimersByTimeAsync(LEASE_SECONDS * 1_000);
  expect(abortedAt()).toBe(10_000);
});

it('continues while its lease is renewed', async () => {
  const { abortedAt } = startRun(() => Promise.resolve([{ id: 'a' }]));
  await jest.advanceTimersByTimeAsync(3 * LEASE_SECONDS * 1_000);
  expect(abortedAt()).toBeUndefined();
});
