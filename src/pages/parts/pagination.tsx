import type { VNode } from 'preact';
import { Link } from '../frame/link.js';
import { rowAfter, type ShownRows } from './list-count.js';

interface PaginationProps {
  /** The path of the list: "/console/gifts". */
  readonly to: string;
  /** The filters of the list. */
  readonly query: Readonly<Record<string, string | undefined>>;
  /** What the next page begins after, as a parameter of the list; undefined on the last page. */
  readonly next: Readonly<Record<string, string | number>> | undefined;
  /** The id of the heading of the list, if much is above it: the next page begins there. */
  readonly at?: string;
  /** Whether this is not the first page. */
  readonly isLater: boolean;
  /** The rows of this page, for a list that counts them. */
  readonly rows?: ShownRows;
}

/** The way to the next page of a list, and back to its beginning. */
export function Pagination({ to, query, next, at, isLater, rows }: PaginationProps): VNode | null {
  if (next === undefined && !isLater) return null;
  const place = at === undefined ? '' : `#${at}`;
  return (
    <nav class="pagination" aria-label="Pages">
      {isLater && <Link to={to + queryOf(query) + place}>First page</Link>}
      {next !== undefined && (
        <Link to={to + queryOf({ ...query, ...next, ...(rows && rowAfter(rows)) }) + place} hotkey="n">
          Next page
        </Link>
      )}
    </nav>
  );
}

/** A query with the parameters that have a value: "?status=Open", or an empty text. */
export function queryOf(parameters: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}
