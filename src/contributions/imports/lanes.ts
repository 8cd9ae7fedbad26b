import pLimit, { type LimitFunction } from 'p-limit';

/** Does several things at once, but those that share a key one after the other, in the order in which they came. */
export class Lanes {
  private readonly last = new Map<string, Promise<unknown>>();
  private readonly atOnce: LimitFunction;

  constructor(atOnce: number) {
    this.atOnce = pLimit(atOnce);
  }

  /** @returns what `task` does, once all is done that came before it under one of its keys. */
  run<T>(keys: readonly string[], task: () => Promise<T>): Promise<T> {
    const before = keys.flatMap((key) => this.last.get(key) ?? []);
    const result = Promise.allSettled(before).then(() => this.atOnce(task));
    for (const key of keys) this.last.set(key, result);
    const leave = (): void => {
      for (const key of keys) if (this.last.get(key) === result) this.last.delete(key);
    };
    void result.then(leave, leave);
    return result;
  }
}
