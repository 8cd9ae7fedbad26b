/** A row that a dry run would have recorded by now. */
export interface RowBefore {
  readonly row: number;
  readonly cells: readonly string[];
  /** The id that was made for it; undefined where it has its own. */
  readonly derivedId: string | undefined;
  /** What it has in common with the rows that it may change something for. */
  readonly keys: readonly string[];
}

interface KeptRow extends Omit<RowBefore, 'cells'> {
  /** The cells as JSON: one string takes a third of the memory of ten. */
  readonly json: string;
}

/** Rows that are kept: of a larger file, the latest. */
const KEPT_ROWS = 100_000;
/** Rows that one row is tried after. */
const ROWS_AT_MOST = 30;

/**
 * What a dry run has to record again before a row, in the transaction that it takes back: the rows of the file that
 * would be recorded by then and that have something in common with it. So it finds persons that the file would create.
 */
export class RowsBefore {
  private readonly rows = new Map<number, KeptRow>();
  private readonly byKey = new Map<string, number[]>();

  /** In the order of the file: rows that share one of these keys, and those that share one with them. */
  of(keys: readonly string[]): RowBefore[] {
    const found = new Map<number, KeptRow>();
    const waiting = [...keys];
    for (let key = waiting.shift(); key !== undefined && found.size < ROWS_AT_MOST; key = waiting.shift()) {
      for (const number of this.byKey.get(key) ?? []) {
        const kept = this.rows.get(number);
        if (kept === undefined || found.has(number)) continue;
        found.set(number, kept);
        waiting.push(...kept.keys);
      }
    }
    return [...found.values()]
      .sort((a, b) => a.row - b.row)
      .map(({ json, ...row }) => ({ ...row, cells: JSON.parse(json) as string[] }));
  }

  add({ cells, ...row }: RowBefore): void {
    this.rows.set(row.row, { ...row, json: JSON.stringify(cells) });
    for (const key of row.keys) {
      const rows = this.byKey.get(key);
      if (rows === undefined) this.byKey.set(key, [row.row]);
      // The first rows of a giver make the person, and the others are near enough to the next one.
      else if (rows.length < ROWS_AT_MOST) rows.push(row.row);
    }
    if (this.rows.size > KEPT_ROWS) this.forgetFirst();
  }

  private forgetFirst(): void {
    const [first] = this.rows.values();
    if (first === undefined) return;
    this.rows.delete(first.row);
    for (const key of first.keys) {
      const rows = (this.byKey.get(key) ?? []).filter((row) => row !== first.row);
      if (rows.length === 0) this.byKey.delete(key);
      else this.byKey.set(key, rows);
    }
  }
}
