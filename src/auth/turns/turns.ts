import pLimit, { type LimitFunction } from 'p-limit';

/** Ends a turn. */
export type EndTurn = () => void;

/** Lets a number of calls go on at the same time. The others wait, in the order of their arrival. */
export class Turns {
  private readonly limit: LimitFunction;

  /** @param concurrency how many go on at the same time. */
  constructor(concurrency: number) {
    this.limit = pLimit(concurrency);
  }

  /** How many wait. */
  get waiting(): number {
    return this.limit.pendingCount;
  }

  /** Waits for a turn. Undefined if it did not come within so many milliseconds. */
  take(milliseconds: number): Promise<EndTurn | undefined> {
    return new Promise((resolve) => {
      let isTooLate = false;
      const timer =
        this.limit.activeCount + this.limit.pendingCount < this.limit.concurrency
          ? undefined
          : setTimeout(() => {
              isTooLate = true;
              resolve(undefined);
            }, milliseconds);
      void this.limit(async () => {
        clearTimeout(timer);
        if (!isTooLate) await new Promise<void>(resolve);
      });
    });
  }
}
