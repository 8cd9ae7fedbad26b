import { setTimeout as sleep } from 'node:timers/promises';

/** Only for what never comes: it must hold on a busy machine. What is to be quick is given a limit of its own. */
const EVENTUALLY_MS = 60_000;

/** Waits for a condition, asking every few milliseconds; fails when it does not hold in time. */
export async function until(condition: () => boolean | Promise<boolean>, milliseconds = EVENTUALLY_MS): Promise<void> {
  const deadline = Date.now() + milliseconds;
  while (!(await condition())) {
    if (Date.now() > deadline)
      throw new Error(`This did not come true within ${milliseconds} ms: ${String(condition)}`);
    await sleep(25);
  }
}
