import pLimit, { type LimitFunction } from 'p-limit';

/** Runs several tasks at once. Tasks that share a key run one after the other, in the order in which they were added. */
export class KeyedQueue {
  private readonly last = new Map<string, Promise<unknown>>();
  private readonly unfinished = new Set<Promise<unknown>>();
  private readonly limit: LimitFunction;
  private barrier: Promise<unknown> = Promise.resolve();

  /** @param concurrency the most tasks that run at the same time. */
  constructor(concurrency: number) {
    this.limit = pLimit(concurrency);
  }

  /** Runs `task` after all earlier tasks that share one of its keys. @returns the result of `task`. */
  add<T>(keys: readonly string[], task: () => Promise<T>): Promise<T> {
    const before = new Set([this.barrier, ...keys.flatMap((key) => this.last.get(key) ?? [])]);
    const result = Promise.allSettled(before).then(() => this.limit(task));
    for (const key of keys) this.last.set(key, result);
    this.unfinished.add(result);
    const leave = (): void => {
      this.unfinished.delete(result);
      for (const key of keys) if (this.last.get(key) === result) this.last.delete(key);
    };
    void result.then(leave, leave);
    return result;
  }

  /** Runs tasks that are added from now on after all earlier ones, whatever their keys are. */
  separate(): void {
    this.barrier = Promise.allSettled([this.barrier, ...this.unfinished]);
  }
}
