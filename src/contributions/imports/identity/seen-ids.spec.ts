import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SeenIds } from './seen-ids.js';

describe('the ids of a file', () => {
  it('are found with the line of their first occurrence', () => {
    const text = fc.constantFrom('', 'a', 'b', 'ab', '["a","b"]', 'é');
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { maxLength: 40 }), (ids) => {
        const seen = new SeenIds(ids.length);
        ids.forEach(([source, id], index) => {
          const first = ids.findIndex((other) => other[0] === source && other[1] === id);
          expect(seen.add(source, id, index + 2)).toBe(first === index ? undefined : first + 2);
        });
      }),
    );
  });

  it('take at most 50 bytes each and stay distinct among 300,000', () => {
    const rows = 300_000;
    const before = process.memoryUsage().arrayBuffers;
    const seen = new SeenIds(rows);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50 * rows);
    for (let row = 1; row <= rows; row++)
      if (seen.add('S', `T-${row}`, row) !== undefined) throw new Error(`row ${row}`);
    expect(seen.add('S', 'T-7', 1)).toBe(7);
  });
});
