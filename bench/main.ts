import { UsageError } from './options.js';

/**
 * Runs a command of the bench: what it names to `onEnd` is done however it ends, Ctrl-C included. The exit code is 1
 * where it fails, and where it says false: what was measured is not as it should be.
 */
export async function runMain(
  command: (onEnd: (cleanUp: () => Promise<void>) => void) => Promise<boolean>,
): Promise<void> {
  const cleanUps: (() => Promise<void>)[] = [];
  let ending: Promise<void> | undefined;
  // Once, whoever asks first: a run that is interrupted fails as well, when its databases go.
  const end = (code: number): Promise<void> => (ending ??= cleanUpAll(cleanUps).then(() => process.exit(code)));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end(130));
  let isGood = false;
  try {
    isGood = await command((cleanUp) => cleanUps.push(cleanUp));
  } catch (error) {
    const text = error instanceof UsageError ? error.message : explain(error);
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

function explain(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
