import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { KeyedQueue } from './keyed-queue.js';

describe('a keyed queue', () => {
  it('runs tasks that share a key in order, separates others on demand, and limits how many run at once', async () => {
    const task = fc.record({
      keys: fc.subarray(['a', 'b', 'c', 'd']),
      isSeparate: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
      turns: fc.nat(4),
      fails: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(task, { maxLength: 20 }), fc.integer({ min: 1, max: 4 }), async (tasks, atOnce) => {
        const queue = new KeyedQueue(atOnce);
        const running = new Set<number>();
        const ended = new Set<number>();
        const work = async (index: number): Promise<number> => {
          const { keys, turns, fails } = tasks[index] ?? { keys: [], turns: 0, fails: false };
          const own: readonly string[] = keys;
          const lastSeparated = tasks.findLastIndex((other, i) => i <= index && other.isSeparate);
          const before = tasks.flatMap((other, i) =>
            i < lastSeparated || (i < index && other.keys.some((k) => own.includes(k))) ? [i] : [],
          );
          expect(before.filter((i) => !ended.has(i))).toEqual([]);
          running.add(index);
          expect(running.size).toBeLessThanOrEqual(atOnce);
          for (let i = 0; i < turns; i++) await turn();
          running.delete(index);
          ended.add(index);
          if (fails) throw new Error('on purpose');
          return index;
        };
        const results = await Promise.allSettled(
          tasks.map(({ keys, isSeparate }, index) => {
            if (isSeparate) queue.separate();
            return queue.add(keys, () => work(index));
          }),
        );
        results.forEach((result, index) => {
          if (tasks[index]?.fails === true) expect(result).toMatchObject({ reason: new Error('on purpose') });
          else expect(result).toEqual({ status: 'fulfilled', value: index });
        });
      }),
    );
  });

  it('runs a task at once if no earlier task shares a key', async () => {
    const queue = new KeyedQueue(2);
    let release = (): void => undefined;
    const held = queue.add(['a'], () => new Promise<void>((resolve) => (release = resolve)));
    const behind = queue.add(['a', 'b'], () => Promise.resolve('behind'));
    expect(await queue.add(['c'], () => Promise.resolve('beside'))).toBe('beside');
    release();
    await held;
    expect(await behind).toBe('behind');
  });
});
