import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for a condition, asking every few milliseconds; fails when it does not hold in time. */
export async function until(condition: () => boolean | Promise<boolean>, milliseconds = 10_000): Promise<void> {
  const deadline = Date.now() + milliseconds;
  while (!(await condition())) {
    if (Date.now() > deadline)
      throw new Error(`This did not come true within ${milliseconds} ms: ${String(condition)}`);
    await sleep(25);
  }
}
