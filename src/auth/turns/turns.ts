import pLimit, { type LimitFunction } from 'p-limit';

/** Ends a turn. @param succeeded whether its work did, which tells those that wait that it is worth it. */
export type EndTurn = (succeeded: boolean) => void;

/** Lets a number of calls go on at the same time. The others wait, in the order of their arrival. */
export class Turns {
  private readonly limit: LimitFunction;
  /** When a turn last ended with success, by performance.now(). */
  private succeededAt = -Infinity;

  /** @param concurrency how many go on at the same time. */
  constructor(concurrency: number) {
    this.limit = pLimit(concurrency);
  }

  /** How many wait. */
  get waiting(): number {
    return this.limit.pendingCount;
  }

  /**
   * Waits for a turn, as long as other turns end with success. Undefined if none has for so many milliseconds: calls
   * behind a locked row are refused soon, and calls that are only many are not.
   */
  take(milliseconds: number): Promise<EndTurn | undefined> {
    return new Promise((resolve) => {
      const begin = performance.now();
      let isTooLate = false;
      let timer: NodeJS.Timeout | undefined;
      const waitOn = (): void => {
        const left = Math.max(begin, this.succeededAt) + milliseconds - performance.now();
        isTooLate = left <= 0;
        if (isTooLate) resolve(undefined);
        else timer = setTimeout(waitOn, left);
      };
      if (this.limit.activeCount + this.limit.pendingCount >= this.limit.concurrency) waitOn();
      void this.limit(async () => {
        clearTimeout(timer);
        if (isTooLate) return;
        const succeeded = await new Promise<boolean>((end) => {
          resolve(end);
        });
        if (succeeded) this.succeededAt = performance.now();
      });
    });
  }
}
