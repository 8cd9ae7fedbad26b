import { setTimeout as sleep } from 'node:timers/promises';

/** The pause after a step, as a share of the step's time. */
const PAUSE = 0.5;

/** A long job ends after this time, in milliseconds. Its next run continues. */
const LONGEST_RUN_MS = 300_000;

/**
 * Repeats `step` until it returns false. It pauses after each step, because the database has other work to do. It returns
 * early when the work takes minutes, so the steps have to store how far they are.
 * @param signal of the job. @throws the reason of its abortion.
 */
export async function inSteps(signal: AbortSignal, step: () => Promise<boolean>): Promise<void> {
  const begin = performance.now();
  for (let before = begin; ; before = performance.now()) {
    signal.throwIfAborted();
    if (!(await step())) return;
    const after = performance.now();
    if (after - begin > LONGEST_RUN_MS) return;
    await sleep((after - before) * PAUSE, undefined, { signal });
  }
}
