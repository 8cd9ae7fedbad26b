import { hash } from 'node:crypto';

interface IdOfRow {
  readonly source: string;
  readonly id: string;
  /** The line of the row, from 1. */
  readonly line: number;
}

/**
 * The ids in the file so far, each with the line of its first row. A file may have a million rows, so each id takes only
 * 64 bits of a hash and the line, in a table of fixed size: about 30 bytes for each row. Two different ids of a million
 * share a hash once in 37 million such files.
 */
export class SeenIds {
  private readonly hashes: BigUint64Array;
  private readonly lines: Uint32Array;
  private readonly mask: number;

  /** @param rows the number of rows in the file. */
  constructor(rows: number) {
    const size = 2 ** Math.ceil(Math.log2(1.5 * rows + 2));
    this.hashes = new BigUint64Array(size);
    this.lines = new Uint32Array(size);
    this.mask = size - 1;
  }

  /**
   * Adds the id of a row. Call it in the order of the file.
   * @returns the line of the first row with this id and source; undefined if this row is the first.
   */
  add({ source, id, line }: IdOfRow): number | undefined {
    const hashed = hash('sha256', JSON.stringify([source, id]), 'buffer').readBigUInt64LE();
    let slot = Number(hashed & BigInt(this.mask));
    for (; ; slot = (slot + 1) & this.mask) {
      const first = this.lines[slot] ?? 0;
      // Lines begin with 1, so 0 marks a free slot.
      if (first === 0) break;
      if (this.hashes[slot] === hashed) return first;
    }
    this.hashes[slot] = hashed;
    this.lines[slot] = line;
    return undefined;
  }
}
