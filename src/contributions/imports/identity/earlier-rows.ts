/** An earlier row of a dry run, which the import would have recorded. */
export interface EarlierRow {
  readonly row: number;
  readonly cells: readonly string[];
  /** The id that was derived for it; undefined if it has its own. */
  readonly derivedId: string | undefined;
  /** It can affect the outcome of rows that share one of these keys. */
  readonly keys: readonly string[];
}

interface KeptRow extends Omit<EarlierRow, 'cells'> {
  /** The cells as JSON, because one string takes a third of the memory of ten. */
  readonly json: string;
}

/** Of a larger file, only the latest rows are kept. */
const MAX_KEPT_ROWS = 100_000;
/** The most rows that are recorded again before one row. */
const MAX_RELATED_ROWS = 30;

/**
 * The earlier rows that a dry run must record again before a row, in the transaction that it rolls back: those that share
 * a key with it. So the row finds the persons that earlier rows would create.
 */
export class EarlierRows {
  private readonly rows = new Map<number, KeptRow>();
  private readonly byKey = new Map<string, number[]>();

  /** Rows that share one of these keys, and those that share a key with them, in the order of the file. */
  relatedTo(keys: readonly string[]): EarlierRow[] {
    const found = new Map<number, KeptRow>();
    const waiting = [...keys];
    for (let key = waiting.shift(); key !== undefined && found.size < MAX_RELATED_ROWS; key = waiting.shift()) {
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

  add({ cells, ...row }: EarlierRow): void {
    this.rows.set(row.row, { ...row, json: JSON.stringify(cells) });
    for (const key of row.keys) {
      const rows = this.byKey.get(key);
      if (rows === undefined) this.byKey.set(key, [row.row]);
      // The first rows of a giver create the person, so further ones are not needed.
      else if (rows.length < MAX_RELATED_ROWS) rows.push(row.row);
    }
    if (this.rows.size > MAX_KEPT_ROWS) this.forgetFirst();
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
