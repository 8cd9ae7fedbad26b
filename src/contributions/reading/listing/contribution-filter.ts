import { SELECT_CONTRIBUTIONS } from '../contribution-rows.js';
import type { ContributionView } from '../contribution-view.js';
import type { PagePosition } from './page-position.js';
import { RECORDED, REVERSED } from '../../ledger/index.js';

/** Which contributions are asked for; what is undefined does not matter. */
export interface ContributionFilter {
  /** A merged person leads to the surviving one. */
  readonly peopleId?: number | undefined;
  readonly fundId?: number | undefined;
  readonly bundleId?: number | undefined;
  readonly source?: string | undefined;
  readonly transactionId?: string | undefined;
  readonly status?: ContributionView['status'] | undefined;
  /** Days in church time, YYYY-MM-DD, both included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Only what was added or changed at that moment or later, in the order of the changes. */
  readonly updatedSince?: Date | undefined;
}

/** The filter, and whose gifts may be seen at all: everybody's where that is undefined. */
export interface VisibleFilter extends ContributionFilter {
  readonly addedBy: number | undefined;
}

/** A stretch of the list: after one number, up to another one. */
export interface Stretch {
  readonly order: PagePosition['order'];
  readonly after: number | undefined;
  readonly upTo: number;
  readonly limit: number;
}

/** Where in SQL each filter stands; its value comes after it. */
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

/**
 * The statement for one page, and its values. Only what was asked for stands in it, so that the planner knows.
 */
export function pageStatement(
  filter: VisibleFilter,
  { order, after, upTo, limit }: Stretch,
  now: Date,
): [statement: string, values: unknown[]] {
  const number = order === 'id' ? 'c.id' : 'c.change_no';
  const values: unknown[] = [];
  const value = (of: unknown): string => `$${values.push(of)}`;
  const conditions = [`${number} <= ${value(upTo)}`];
  for (const [name, condition] of Object.entries(CONDITIONS)) {
    const asked = filter[name as keyof VisibleFilter];
    if (asked !== undefined)
      conditions.push(`${condition} ${value(name === 'status' ? STATUS[asked as Status] : asked)}`);
  }
  if (after !== undefined) conditions.push(`${number} > ${value(after)}`);
  // Times follow the numbers but for moments, and a clock that is set: where to begin is looked for by itself.
  // OFFSET 0: otherwise the minimum is looked for along all numbers from the first one on.
  else if (filter.updatedSince !== undefined) {
    conditions.push(`c.change_no >= (
      SELECT min(change_no)
      FROM (SELECT change_no FROM contribution WHERE updated_at >= ${value(filter.updatedSince)} OFFSET 0) since)`);
  }
  // Of few rows all are found by what makes them few, and then sorted; the planner would rather go along the numbers,
  // since it does not know that gifts of one day, person or bundle lie together there.
  const sortKey = isNarrow(filter, now) ? `${number} + 0` : number;
  const statement = `${SELECT_CONTRIBUTIONS}
    WHERE ${conditions.join(' AND ')} ORDER BY ${sortKey} LIMIT ${value(limit)}`;
  return [statement, values];
}

type Status = ContributionView['status'];

const STATUS: Readonly<Record<Status, number>> = { Recorded: RECORDED, Reversed: REVERSED };

const DAY_MS = 86_400_000;
const FEW_DAYS = 40;

/** Whether the filter leaves so little that all of it can be looked at for one page. */
function isNarrow({ peopleId, bundleId, transactionId, from, to }: VisibleFilter, now: Date): boolean {
  if (peopleId !== undefined || bundleId !== undefined || transactionId !== undefined) return true;
  if (from === undefined) return false;
  const end = Math.min(to === undefined ? Infinity : Date.parse(to), now.getTime());
  return end - Date.parse(from) <= FEW_DAYS * DAY_MS;
}
