import pLimit, { type LimitFunction } from 'p-limit';

/** Runs several tasks at once. Tasks that share a key run one after the other, in the order in which they were added. */
export class KeyedQueue {
  private readonly last = new Map<string, Promise<unknown>>();
  private readonly limit: LimitFunction;

  /** @param concurrency the most tasks that run at the same time. */
  constructor(concurrency: number) {
    this.limit = pLimit(concurrency);
  }

  /** Runs `task` after all earlier tasks that share one of its keys. @returns the result of `task`. */
  add<T>(keys: readonly string[], task: () => Promise<T>): Promise<T> {
    const before = keys.flatMap((key) => this.last.get(key) ?? []);
    const result = Promise.allSettled(before).then(() => this.limit(task));
    for (const key of keys) this.last.set(key, result);
    const leave = (): void => {
      for (const key of keys) if (this.last.get(key) === result) this.last.delete(key);
    };
    void result.then(leave, leave);
    return result;
  }
}
