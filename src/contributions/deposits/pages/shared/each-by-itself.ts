import { ExpectedError, expectedErrorOf } from '../../../../http/index.js';
import { groupedCount } from '../../../../pages/index.js';

/** What became of one of several: its result, or why it was refused. */
export type OneResult<T> = T | ExpectedError;

/**
 * Does something with each of several, in the order given, each in a transaction of its own: one that is refused does not keep
 * the others from being done. If it throws, some may be done; to do them again has no effect.
 * @returns a result for each, in the same order.
 */
export async function eachByItself<C, T>(
  commands: readonly C[],
  work: (command: C) => Promise<T>,
): Promise<readonly OneResult<T>[]> {
  const results: OneResult<T>[] = [];
  for (const command of commands) results.push(await doneOrRefused(command, work));
  return results;
}

async function doneOrRefused<C, T>(command: C, work: (command: C) => Promise<T>): Promise<OneResult<T>> {
  try {
    return await work(command);
  } catch (error) {
    const expected = expectedErrorOf(error);
    if (expected === undefined) throw error;
    return expected;
  }
}

/** "1 deposit is", "3,330 deposits are". */
export function counted(count: number, one: string, several: string): string {
  return `${groupedCount(count)} ${count === 1 ? one : several}`;
}
