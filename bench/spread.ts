/** The median and range of several measurements. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** The median, minimum and maximum of values. @throws Error if there are none. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (index: number): number => {
    const value = sorted[index];
    if (value === undefined) throw new Error('Nothing was measured');
    return value;
  };
  const half = sorted.length / 2;
  const median = sorted.length % 2 === 0 ? (at(half - 1) + at(half)) / 2 : at(Math.floor(half));
  return { median, min: at(0), max: at(sorted.length - 1) };
}

/** Like {@link spreadOf}, or undefined if some values are unknown. */
export function spreadOfKnown(values: readonly (number | undefined)[]): Spread | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === values.length ? spreadOf(known) : undefined;
}
