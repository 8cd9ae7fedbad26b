import type { ReversalReason } from '../../events/index.js';
import { SELECT_CONTRIBUTIONS } from '../contribution-rows.js';
import type { ContributionView } from '../contribution-view.js';
import type { PagePosition } from './page-position.js';
import { isPart, type PaymentMethod, RECORDED, REVERSED } from '../../ledger/index.js';

/** The filter of a list of contributions. Undefined fields do not filter. */
export interface ContributionFilter {
  /** The id of a merged person selects the gifts of the surviving person. */
  readonly peopleId?: number | undefined;
  readonly fundId?: number | undefined;
  readonly bundleId?: number | undefined;
  readonly source?: string | undefined;
  readonly transactionId?: string | undefined;
  readonly status?: ContributionView['status'] | undefined;
  /** Of the payment, as the next two. Each selects all entries of the payment. */
  readonly method?: PaymentMethod | undefined;
  readonly payoutId?: string | undefined;
  readonly checkNumber?: string | undefined;
  /** Decimal text. Compared without the sign, so that an entry is found together with its gift. */
  readonly amount?: string | undefined;
  readonly minAmount?: string | undefined;
  readonly maxAmount?: string | undefined;
  /** Selects reversing entries with this reason, and their gifts. */
  readonly reason?: ReversalReason | undefined;
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

/**
 * SQL for whether `c` is one of these ids. They are few, so they are collected first: a join would make the planner read
 * all contributions by number, because it does not know how few they are.
 */
const isOneOf = (ids: string): string => `c.id = ANY (ARRAY(${ids}))`;

/** SQL for whether `c` is a row of one of the payments. @param condition on payment, with the value as `$`. */
const isOfPayments = (condition: string): string =>
  isOneOf(`
    SELECT id FROM payment WHERE ${condition}
    UNION ALL
    SELECT further.id FROM payment JOIN contribution further ON further.payment_id = payment.id AND further.payment_id <> further.id
    WHERE ${condition}`);

/**
 * SQL for the ids of the gifts with a TransactionId. All parts of a payment have it, and the index has the first of them. The
 * index begins with user and source: those that exist are few, and are read from it one after the other. So no index
 * by TransactionId alone has to be written for each gift. OFFSET 0 makes each join a look-up: the planner expects many
 * rows from a recursion.
 */
const OF_TRANSACTION = `
  WITH RECURSIVE sender AS (
    (SELECT created_by, source FROM contribution
     WHERE transaction_id IS NOT NULL AND payment_id = id ORDER BY created_by, source LIMIT 1)
    UNION ALL
    SELECT following.created_by, following.source FROM sender, LATERAL (
      SELECT e.created_by, e.source FROM contribution e
      WHERE e.transaction_id IS NOT NULL AND e.payment_id = e.id AND (e.created_by, e.source) > (sender.created_by, sender.source)
      ORDER BY e.created_by, e.source LIMIT 1) following
  ), first AS (
    SELECT e.id FROM sender, LATERAL (
      SELECT id FROM contribution
      WHERE created_by = sender.created_by AND source = sender.source AND transaction_id = $ AND payment_id = id OFFSET 0) e
  )
  SELECT id FROM first
  UNION ALL
  SELECT part.id FROM first, LATERAL (
    SELECT id FROM contribution part
    WHERE part.payment_id = first.id AND part.payment_id <> part.id AND ${isPart('part')} OFFSET 0) part`;

/** The SQL condition of each filter on a contribution `c` and its payment `p`, with its value as `$`. */
const CONDITIONS: Readonly<Record<keyof VisibleFilter, string>> = {
  addedBy: 'c.added_by = $',
  peopleId: 'c.person_id = $',
  fundId: 'c.fund_id = $',
  bundleId: 'c.bundle_id = $',
  source: 'c.source = $',
  transactionId: isOneOf(OF_TRANSACTION),
  status: 'c.status = $',
  method: 'p.method = $',
  payoutId: isOfPayments('payout_id = $'),
  checkNumber: isOfPayments('check_number = $'),
  amount: 'abs(c.amount) = $',
  minAmount: 'abs(c.amount) >= $',
  maxAmount: 'abs(c.amount) <= $',
  reason: isOneOf(`
    SELECT unnest(ARRAY[r.id, r.reverses_id]) FROM contribution r WHERE r.reverses_id IS NOT NULL AND r.reason = $`),
  from: 'c.day >= $',
  to: 'c.day <= $',
  updatedSince: 'c.updated_at >= $',
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
  const conditions = [`${number} <= ${parameter(upTo)}`, ...conditionsOf(filter, parameter)];
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

/**
 * The SQL conditions of the filters in use, on a contribution `c` and its payment `p`.
 * @param parameter adds a value to the statement, and returns its `$1`, `$2`, …
 */
export function conditionsOf(filter: Partial<VisibleFilter>, parameter: (value: unknown) => string): string[] {
  return Object.entries(CONDITIONS).flatMap(([name, condition]) => {
    const value = filter[name as keyof VisibleFilter];
    if (value === undefined) return [];
    const number = parameter(name === 'status' ? STATUS[value as Status] : value);
    return [condition.replaceAll('$', () => number)];
  });
}

type Status = ContributionView['status'];

const STATUS: Readonly<Record<Status, number>> = { Recorded: RECORDED, Reversed: REVERSED };

const DAY_MS = 86_400_000;
const MAX_NARROW_DAYS = 40;

const NARROW = ['peopleId', 'bundleId', 'transactionId', 'payoutId', 'checkNumber', 'reason'] as const;

/** Whether the filter selects so few rows that one page can read them all. */
export function isNarrow(filter: Partial<VisibleFilter>, now: Date): boolean {
  return isNarrowOnAnyDay(filter) || isOfFewDays(filter, now);
}

/** As {@link isNarrow}, whatever days the filter selects. */
export function isNarrowOnAnyDay(filter: Partial<VisibleFilter>): boolean {
  return NARROW.some((name) => filter[name] !== undefined);
}

/** Whether the filter selects the gifts of at most 40 days. */
export function isOfFewDays({ from, to }: Pick<VisibleFilter, 'from' | 'to'>, now: Date): boolean {
  if (from === undefined) return false;
  const end = Math.min(to === undefined ? Infinity : Date.parse(to), now.getTime());
  return end - Date.parse(from) <= MAX_NARROW_DAYS * DAY_MS;
}
