import { setTimeout as sleep } from 'node:timers/promises';

/** Long enough for a busy machine. Tests that measure speed give their own limit. */
const EVENTUALLY_MS = 60_000;

/** Waits for a condition, checking it every few milliseconds. @throws Error if it does not hold in time. */
export async function until(condition: () => boolean | Promise<boolean>, milliseconds = EVENTUALLY_MS): Promise<void> {
  const deadline = Date.now() + milliseconds;
  while (!(await condition())) {
    if (Date.now() > deadline)
      throw new Error(`This condition did not hold within ${milliseconds} ms: ${String(condition)}`);
    await sleep(25);
  }
}
