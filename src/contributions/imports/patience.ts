import { setTimeout as sleep } from 'node:timers/promises';
import { describeError, isDatabaseUnavailable } from '../../database/index.js';
import { ImportError } from './import-error.js';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 2_000;

/**
 * Does things again that a database could not take, until it has been away for too long: for all of them together, so
 * that many that wait give up with the first.
 */
export class Patience {
  private awaySince: number | undefined;

  /**
   * @param limit how long the database may be away, in milliseconds.
   * @param tell is called each time it goes.
   */
  constructor(
    private readonly limit: number,
    private readonly signal: AbortSignal,
    private readonly tell: () => void,
  ) {}

  /**
   * `work` must be such that it may be done twice: of one that was cut off it is not known whether it was done.
   * @throws ImportError when the database is given up, and what else `work` throws.
   */
  async bear<T>(work: () => Promise<T>): Promise<T> {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      try {
        const result = await work();
        this.awaySince = undefined;
        return result;
      } catch (error) {
        if (!isDatabaseUnavailable(error)) throw error;
        this.assertNotTooLong(error);
        await sleep(pause);
      }
    }
  }

  private assertNotTooLong(error: unknown): void {
    const now = performance.now();
    if (this.awaySince === undefined) this.tell();
    this.awaySince ??= now;
    if (now - this.awaySince >= this.limit || this.signal.aborted) {
      throw new ImportError(
        `the database has been away for ${Math.round((now - this.awaySince) / 1_000)} s (${describeError(error)})`,
      );
    }
  }
}
