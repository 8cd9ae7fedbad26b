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
   * Waits for a turn. Undefined if it does not come in time: calls behind a locked row are refused soon, and calls that
   * are only many are not.
   * @param milliseconds to wait while no other turn ends with success.
   * @param latest the end of the wait in any case, by performance.now().
   */
  take(milliseconds: number, latest: number): Promise<EndTurn | undefined> {
    return new Promise((resolve) => {
      const begin = performance.now();
      let isTooLate = false;
      let timer: NodeJS.Timeout | undefined;
      const waitOn = (): void => {
        const end = Math.min(Math.max(begin, this.succeededAt) + milliseconds, latest);
        const left = end - performance.now();
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
