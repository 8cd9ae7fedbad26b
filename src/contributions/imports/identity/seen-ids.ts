import { hash } from 'node:crypto';

/**
 * Which ids stood in the file so far, each with the line of its first row. Of each it keeps 64 bits of a hash and the
 * line in a table of fixed size, some 30 bytes a row: a file may have a million of them. That two different ids of a
 * million have one hash happens once in 37 million such files.
 */
export class SeenIds {
  private readonly hashes: BigUint64Array;
  private readonly lines: Uint32Array;
  private readonly mask: number;

  /** @param rows how many the file has. */
  constructor(rows: number) {
    const size = 2 ** Math.ceil(Math.log2(1.5 * rows + 2));
    this.hashes = new BigUint64Array(size);
    this.lines = new Uint32Array(size);
    this.mask = size - 1;
  }

  /**
   * To be told of each row in the order of the file.
   * @param line of the file, from 1.
   * @returns the line of the first row with this id of this source, undefined where this is the first.
   */
  add(source: string, id: string, line: number): number | undefined {
    const hashed = hash('sha256', JSON.stringify([source, id]), 'buffer').readBigUInt64LE();
    let place = Number(hashed & BigInt(this.mask));
    for (; ; place = (place + 1) & this.mask) {
      const first = this.lines[place] ?? 0;
      // No row is on line 0: the place is free.
      if (first === 0) break;
      if (this.hashes[place] === hashed) return first;
    }
    this.hashes[place] = hashed;
    this.lines[place] = line;
    return undefined;
  }
}
