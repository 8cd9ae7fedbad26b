import { inspect } from 'node:util';
import { UsageError } from './options.js';

/**
 * Runs a command of the bench. What it passes to `onEnd` runs at the end in any case, also after Ctrl-C. The exit code
 * is 1 if the command fails or returns false, which means that a goal is not met.
 */
export async function runMain(
  command: (onEnd: (cleanUp: () => Promise<void>) => void) => Promise<boolean>,
): Promise<void> {
  const cleanUps: (() => Promise<void>)[] = [];
  let ending: Promise<void> | undefined;
  // Runs once: an interrupted run also fails when its databases are dropped.
  const end = (code: number): Promise<void> => (ending ??= cleanUpAll(cleanUps).then(() => process.exit(code)));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end(130));
  let isGood = false;
  try {
    isGood = await command((cleanUp) => cleanUps.push(cleanUp));
  } catch (error) {
    // `inspect` shows the causes, too.
    const text = error instanceof UsageError ? error.message : inspect(error);
    if (ending === undefined) process.stderr.write(`${text}\n`);
  }
  await end(isGood ? 0 : 1);
}

async function cleanUpAll(cleanUps: readonly (() => Promise<void>)[]): Promise<void> {
  for (const cleanUp of cleanUps) {
    await cleanUp().catch((error: unknown) => {
      process.stderr.write(`Something was left behind: ${messageOf(error)}\n`);
    });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
