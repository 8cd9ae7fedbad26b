/** How many rows a list has. */
export interface RowCount {
  readonly rows: number;
  /** Whether it has more rows than that: they are only counted up to a limit. */
  readonly more: boolean;
}

/** A list of more rows is not counted to its end. */
export const MOST_COUNTED = 1_000;

/** How long a statement that only counts may take, in milliseconds. */
export const COUNT_LIMIT_MS = 300;

/** @param found rows, of which at most one more than {@link MOST_COUNTED} were looked for. */
export function rowCountOf(found: number): RowCount {
  return { rows: Math.min(found, MOST_COUNTED), more: found > MOST_COUNTED };
}
