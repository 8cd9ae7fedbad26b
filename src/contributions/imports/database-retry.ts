import { setTimeout as sleep } from 'node:timers/promises';
import { describeError, isDatabaseUnavailable } from '../../database/index.js';
import { ImportError } from './import-error.js';

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 2_000;

/**
 * Repeats work while the database is unavailable, up to a time limit. All concurrent work shares the limit, so that all
 * of it gives up at the same time.
 */
export class DatabaseRetry {
  private unavailableSince: number | undefined;

  /**
   * @param limit how long the database may be unavailable, in milliseconds.
   * @param onUnavailable called each time the database becomes unavailable.
   */
  constructor(
    private readonly limit: number,
    private readonly signal: AbortSignal,
    private readonly onUnavailable: () => void,
  ) {}

  /**
   * Repeats `work` until the database is available. `work` must be idempotent, because it may have succeeded before the
   * connection was lost.
   * @throws ImportError after the time limit, and every other error of `work`.
   */
  async whileUnavailable<T>(work: () => Promise<T>): Promise<T> {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
      try {
        const result = await work();
        this.unavailableSince = undefined;
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
    if (this.unavailableSince === undefined) this.onUnavailable();
    this.unavailableSince ??= now;
    if (now - this.unavailableSince >= this.limit || this.signal.aborted) {
      throw new ImportError(
        `the database was unavailable for ${Math.round((now - this.unavailableSince) / 1_000)} s (${describeError(error)})`,
      );
    }
  }
}
