import pLimit, { type LimitFunction } from 'p-limit';

/**
 * The least time for a statement, in milliseconds. With less it would only be cut off, and its connection with it, which
 * takes longer to open again than the statement.
 */
export const MIN_STATEMENT_MS = 500;

/** The lane cannot run the work in time. */
export class LaneFullError extends Error {}

interface LaneLimits {
  /** How much work runs at the same time. */
  readonly concurrency: number;
  /** How much may wait. */
  readonly waiting: number;
  /** How long the work may take with its wait, in milliseconds. */
  readonly milliseconds: number;
}

/** Runs statements, a few at a time, in the order of their arrival. Limits how many wait, and for how long. */
export class Lane {
  private readonly limit: LimitFunction;

  constructor(private readonly limits: LaneLimits) {
    this.limit = pLimit(limits.concurrency);
  }

  /**
   * @param work gets the milliseconds that are left for it, at least {@link MIN_STATEMENT_MS}.
   * @throws LaneFullError at once if too much waits, and as soon as there is not enough time left.
   */
  run<T>(work: (left: number) => Promise<T>): Promise<T> {
    if (this.limit.pendingCount >= this.limits.waiting) return Promise.reject(new LaneFullError());
    const latest = performance.now() + this.limits.milliseconds;
    return new Promise((resolve, reject) => {
      let isRefused = false;
      const refuse = (): void => {
        isRefused = true;
        reject(new LaneFullError());
      };
      const timer = setTimeout(refuse, this.limits.milliseconds - MIN_STATEMENT_MS);
      void this.limit(async () => {
        clearTimeout(timer);
        const left = latest - performance.now();
        if (isRefused) return;
        // The timer can be late on a busy machine.
        if (left < MIN_STATEMENT_MS) refuse();
        else await work(left).then(resolve, reject);
      });
    });
  }

  /** Runs work that must not be left out, in its turn. Its caller limits how much there is of it. */
  runWithoutLimit<T>(work: () => Promise<T>): Promise<T> {
    return this.limit(work);
  }
}
