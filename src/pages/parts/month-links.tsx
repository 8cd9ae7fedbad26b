import { DateTime } from 'luxon';
import type { VNode } from 'preact';
import { Link } from '../frame/link.js';
import { usePage } from '../frame/page-context.js';
import { queryOf } from './pagination.js';

const MONTHS = 6;

interface MonthLinksProps {
  /** The path of a list with the filters `from` and `to`. */
  readonly to: string;
  /** The filters of the list now. */
  readonly query: Readonly<Record<string, string | undefined>>;
}

/** Links to the months of a long list: the last ones, or those around the chosen one. */
export function MonthLinks({ to, query: { from, to: until, ...query } }: MonthLinksProps): VNode {
  const { today } = usePage();
  const chosen = chosenMonth(from, until);
  const last = chosen === undefined ? monthOf(today) : DateTime.min(chosen.plus({ months: 2 }), monthOf(today));
  const newest = chosen === undefined || last >= chosen ? last : chosen;
  const months = Array.from({ length: MONTHS }, (_, index) => newest.minus({ months: index }));
  return (
    <nav class="months" aria-label="Months">
      {months.map((month) => {
        const days = { from: month.toISODate(), to: month.endOf('month').toISODate() };
        return (
          <Link
            key={month.toISODate()}
            to={to + queryOf({ ...query, ...days })}
            current={month.toMillis() === chosen?.toMillis()}
          >
            {month.setLocale('en').toFormat('LLL yyyy')}
          </Link>
        );
      })}
      {(from ?? until) !== undefined && <Link to={to + queryOf(query)}>All months</Link>}
    </nav>
  );
}

/** The month whose first and last day these are; undefined for any other days. */
function chosenMonth(from: string | undefined, until: string | undefined): DateTime<true> | undefined {
  const month = DateTime.fromISO(from ?? '', { zone: 'UTC' });
  if (!month.isValid || month.day !== 1) return undefined;
  return until === month.endOf('month').toISODate() ? month : undefined;
}

/** @param day YYYY-MM-DD */
function monthOf(day: string): DateTime<true> {
  const month = DateTime.fromISO(day, { zone: 'UTC' }).startOf('month');
  if (!month.isValid) throw new Error('A day is written YYYY-MM-DD');
  return month;
}
