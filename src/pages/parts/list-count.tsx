import type { VNode } from 'preact';
import type { Query } from '../../http/index.js';
import { groupedCount } from './count.js';

/** The parameter with the number of the first row of a later page. */
const ROW = 'row';

/** The rows of a list that a page shows. */
export interface ShownRows {
  /** The number of the first of them: 1 on the first page. */
  readonly first: number;
  readonly shown: number;
}

/** @param query of the page. A number that somebody typed changes only what the page says. */
export function shownRows({ [ROW]: sent = '' }: Query, shown: number): ShownRows {
  return { first: typeof sent === 'string' && /^[1-9]\d{0,8}$/.test(sent) ? Number(sent) : 1, shown };
}

/** The parameter that says to the next page with which row it begins. */
export function rowAfter({ first, shown }: ShownRows): Readonly<Record<string, number>> {
  return { [ROW]: first + shown };
}

interface ListCountProps extends ShownRows {
  /** How many there are, and whether there are more; undefined if they were not counted. */
  readonly count: { readonly rows: number; readonly more: boolean } | undefined;
  /** What they are: one, and several. */
  readonly of: readonly [one: string, several: string];
}

/** Which rows of how many a page shows: "51–100 of 1,234 gifts", or of a list with only one page "3 gifts". */
export function ListCount({ first, shown, count, of: [one, several] }: ListCountProps): VNode | null {
  if (shown === 0) return null;
  const last = first + shown - 1;
  const range = shown === 1 ? groupedCount(first) : `${groupedCount(first)}–${groupedCount(last)}`;
  if (count === undefined) return <p class="count">{`${range} of many ${several}`}</p>;
  if (!count.more && first === 1 && count.rows <= shown) {
    return <p class="count">{shown === 1 ? `1 ${one}` : `${groupedCount(shown)} ${several}`}</p>;
  }
  const all = count.more
    ? `more than ${groupedCount(Math.max(count.rows, last))}`
    : groupedCount(Math.max(count.rows, last));
  return <p class="count">{`${range} of ${all} ${several}`}</p>;
}
