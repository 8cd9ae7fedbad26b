import { SELECT_CONTRIBUTIONS } from '../contribution-rows.js';
import type { ContributionView } from '../contribution-view.js';
import type { PagePosition } from './page-position.js';
import { RECORDED, REVERSED } from '../../ledger/index.js';

/** The filter of a list of contributions. Undefined fields do not filter. */
export interface ContributionFilter {
  /** The id of a merged person selects the gifts of the surviving person. */
  readonly peopleId?: number | undefined;
  readonly fundId?: number | undefined;
  readonly bundleId?: number | undefined;
  readonly source?: string | undefined;
  readonly transactionId?: string | undefined;
  readonly status?: ContributionView['status'] | undefined;
  /** Days in church time, YYYY-MM-DD, both included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Only contributions that were added or changed at this time or later, in the order of changes. */
  readonly updatedSince?: Date | undefined;
}

/** The filter, and the user whose gifts the caller may see; undefined: all gifts. */
export interface VisibleFilter extends ContributionFilter {
  readonly addedBy: number | undefined;
}

/** A part of the list: the numbers above `after`, up to `upTo`. */
export interface PageRange {
  readonly order: PagePosition['order'];
  readonly after: number | undefined;
  readonly upTo: number;
  readonly limit: number;
}

/** The SQL condition of each filter, without its value. */
const CONDITIONS: Readonly<Record<keyof VisibleFilter, string>> = {
  addedBy: 'c.added_by =',
  peopleId: 'c.person_id =',
  fundId: 'c.fund_id =',
  bundleId: 'c.bundle_id =',
  source: 'c.source =',
  transactionId: 'c.transaction_id =',
  status: 'c.status =',
  from: 'c.day >=',
  to: 'c.day <=',
  updatedSince: 'c.updated_at >=',
};

/** The statement for one page, and its values. It contains only the filters in use, so that it can be planned well. */
export function pageStatement(
  filter: VisibleFilter,
  { order, after, upTo, limit }: PageRange,
  now: Date,
): [statement: string, values: unknown[]] {
  const number = order === 'id' ? 'c.id' : 'c.change_no';
  const values: unknown[] = [];
  const parameter = (value: unknown): string => `$${values.push(value)}`;
  const conditions = [`${number} <= ${parameter(upTo)}`];
  for (const [name, condition] of Object.entries(CONDITIONS)) {
    const value = filter[name as keyof VisibleFilter];
    if (value !== undefined)
      conditions.push(`${condition} ${parameter(name === 'status' ? STATUS[value as Status] : value)}`);
  }
  if (after !== undefined) conditions.push(`${number} > ${parameter(after)}`);
  // Times and change numbers have nearly the same order, except after a change of the clock. So the first change number
  // is searched separately. Without OFFSET 0 the planner would search the minimum from the first number on.
  else if (filter.updatedSince !== undefined) {
    conditions.push(`c.change_no >= (
      SELECT min(change_no)
      FROM (SELECT change_no FROM contribution WHERE updated_at >= ${parameter(filter.updatedSince)} OFFSET 0) since)`);
  }
  // With a narrow filter, it is faster to read all matching rows and sort them ("+ 0" disables the index on numbers). The
  // planner would scan by number, because it does not know that gifts of one day, person or bundle are close together.
  const sortKey = isNarrow(filter, now) ? `${number} + 0` : number;
  const statement = `${SELECT_CONTRIBUTIONS}
    WHERE ${conditions.join(' AND ')} ORDER BY ${sortKey} LIMIT ${parameter(limit)}`;
  return [statement, values];
}

type Status = ContributionView['status'];

const STATUS: Readonly<Record<Status, number>> = { Recorded: RECORDED, Reversed: REVERSED };

const DAY_MS = 86_400_000;
const MAX_NARROW_DAYS = 40;

/** Whether the filter selects so few rows that one page can read them all. */
function isNarrow({ peopleId, bundleId, transactionId, from, to }: VisibleFilter, now: Date): boolean {
  if (peopleId !== undefined || bundleId !== undefined || transactionId !== undefined) return true;
  if (from === undefined) return false;
  const end = Math.min(to === undefined ? Infinity : Date.parse(to), now.getTime());
  return end - Date.parse(from) <= MAX_NARROW_DAYS * DAY_MS;
}
