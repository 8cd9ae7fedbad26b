import { fieldReader, InvalidRequestError, OptionalField } from '../../../http/index.js';
import { churchToday, fault, read } from '../../../values/index.js';
import { MONTH, MOST_MONTHS } from './totals-view.js';
import type { Months } from './months.js';
import { monthsBetween } from './months.js';

const YEAR_PATTERN = /^(?:19|20|21)\d\d$/u;
const MONTH_PATTERN = /^(?:19|20|21)\d\d-(?:0[1-9]|1[0-2])$/u;
const MONTH_OF_YEAR_PATTERN = /^(?:0[1-9]|1[0-2])$/u;

const year = fieldReader<string>(
  { type: 'string', minLength: 4, maxLength: 4, pattern: YEAR_PATTERN.source },
  (value) => (YEAR_PATTERN.test(String(value)) ? read(String(value)) : fault('must be a year from 1900 to 2199')),
);

export const month = fieldReader<string>(MONTH, (value) =>
  MONTH_PATTERN.test(String(value)) ? read(String(value)) : fault('must be a month as YYYY-MM, from 1900 to 2199'),
);

/** The months of the totals: a year, or from a month to a month. */
export class TotalsRequest {
  @OptionalField(year, {
    description: 'The year. Without `year`, `from` and `to`: this year in church time.',
    examples: ['2026'],
  })
  year?: string;

  @OptionalField(month, { description: 'The first month; needs `to`.', examples: ['2025-07'] })
  from?: string;

  @OptionalField(month, {
    description: `The last month; needs \`from\`. At most ${MOST_MONTHS} months.`,
    examples: ['2026-06'],
  })
  to?: string;
}

const monthOfYear = fieldReader<string>(
  { type: 'string', minLength: 2, maxLength: 2, pattern: MONTH_OF_YEAR_PATTERN.source },
  (value) => (MONTH_OF_YEAR_PATTERN.test(String(value)) ? read(String(value)) : fault('must be a month from 01 to 12')),
);

/** The months of a year that the page of totals shows. */
export class TotalsPageRequest {
  @OptionalField(year, { description: 'The year. The default is this year in church time.', examples: ['2026'] })
  year?: string;

  @OptionalField(monthOfYear, { description: 'The first month. The default is January.', examples: ['01'] })
  first?: string;

  @OptionalField(monthOfYear, {
    description: 'The last month. The default is the present one for this year, and December for others.',
    examples: ['06'],
  })
  upTo?: string;
}

/** The months that the page shows. @param today YYYY-MM-DD. @throws InvalidRequestError */
export function monthsOfPage({ year, first = '01', upTo }: TotalsPageRequest, today: string): Months {
  const [thisYear, thisMonth] = [today.slice(0, 4), today.slice(5, 7)];
  const of = year ?? thisYear;
  // A month to come has no gifts yet, but a gift may be dated in it.
  const latest = of === thisYear && first <= thisMonth ? thisMonth : '12';
  const last = upTo ?? latest;
  if (first > last) throw InvalidRequestError.ofReadings({ upTo: fault('must not be before the first month') });
  return monthsBetween(`${of}-${first}`, `${of}-${last}`);
}

/** The months of a request. @param now of the database's clock. @throws InvalidRequestError */
export function toMonths({ year, from, to }: TotalsRequest, now: Date, timeZone: string): Months {
  if (year !== undefined && (from ?? to) !== undefined) {
    throw InvalidRequestError.ofReadings({ year: fault('cannot be sent with from and to') });
  }
  if ((from === undefined) !== (to === undefined)) {
    const [missing, sent] = from === undefined ? ['from', 'to'] : ['to', 'from'];
    throw InvalidRequestError.ofReadings({ [missing]: fault(`is required with ${sent}`) });
  }
  if (from === undefined || to === undefined) {
    const wanted = year ?? churchToday(now, timeZone).slice(0, 4);
    return monthsBetween(`${wanted}-01`, `${wanted}-12`);
  }
  if (from > to) throw InvalidRequestError.ofReadings({ to: fault('must not be before from') });
  const months = monthsBetween(from, to);
  if (months.length <= MOST_MONTHS) return months;
  throw InvalidRequestError.ofReadings({ to: fault(`must be at most ${MOST_MONTHS} months from the first one`) });
}
