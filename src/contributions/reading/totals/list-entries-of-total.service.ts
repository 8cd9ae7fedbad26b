import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type Actor, AuditTrail } from '../../../audit/index.js';
import { type RowCount, sqlRow, sqlRows, Transactions } from '../../../database/index.js';
import { displayAmount } from '../../../values/index.js';
import { isOfType, JOIN_GIFT, PLEDGE_TYPE } from '../../ledger/index.js';
import { READING_ACTIONS } from '../audit-actions.js';
import { type ContributionRow, SELECT_CONTRIBUTIONS, viewOf } from '../contribution-rows.js';
import type { ContributionView } from '../contribution-view.js';

/** A number of the totals: which months, fund and currency it is of. */
export interface TotalOfEntries {
  /** The first and the last month, YYYY-MM. */
  readonly from: string;
  readonly to: string;
  /** Undefined: all funds. */
  readonly fundId: number | undefined;
  readonly currency: string;
}

/** The entries that add up to a number of the totals. */
export interface EntriesOfTotal {
  /** A page of them, those recorded last first. */
  readonly entries: readonly ContributionView[];
  /** The id after which the next page begins; undefined on the last page. */
  readonly next: number | undefined;
  /** The sum of all of them. */
  readonly sum: string;
  readonly count: RowCount;
}

const ENTRIES_PER_PAGE = 100;

/** SQL for whether a day is in the months from $1 to $2. */
const isWithin = (day: string): string =>
  `${day} >= ($1::text || '-01')::date AND ${day} < (($2::text || '-01')::date + interval '1 month')::date`;

/**
 * The ids and amounts of the entries. As in month-sums.ts, a reinstatement counts in the month of the reversal that it
 * undoes. Two parts, so that each uses its index: reinstatements are few.
 */
const SELECT_ENTRIES = `
  SELECT c.id, c.amount FROM contribution c ${JOIN_GIFT}
  WHERE c.reinstates_id IS NULL AND ${isWithin('c.day')} AND c.currency = $3
    AND ($4::integer IS NULL OR c.fund_id = $4) AND NOT ${isOfType(PLEDGE_TYPE)}
  UNION ALL
  SELECT c.id, c.amount FROM contribution c JOIN contribution undone ON undone.id = c.reinstates_id ${JOIN_GIFT}
  WHERE c.reinstates_id IS NOT NULL AND ${isWithin('undone.day')} AND c.currency = $3
    AND ($4::integer IS NULL OR c.fund_id = $4) AND NOT ${isOfType(PLEDGE_TYPE)}`;

const SELECT_SUM = `SELECT count(*)::integer AS rows, COALESCE(sum(amount), 0)::text AS sum FROM (${SELECT_ENTRIES}) e`;

const SELECT_PAGE = `
  SELECT id FROM (${SELECT_ENTRIES}) e WHERE $5::integer IS NULL OR id < $5
  ORDER BY id DESC LIMIT ${ENTRIES_PER_PAGE + 1}`;

const SELECT_ROWS = `${SELECT_CONTRIBUTIONS} WHERE c.id = ANY ($1::integer[]) ORDER BY c.id DESC`;

/** Lists what adds up to a number of the totals. */
@Injectable()
export class ListEntriesOfTotal {
  constructor(
    private readonly transactions: Transactions,
    private readonly audit: AuditTrail,
  ) {}

  /** The reading is recorded. @param after the last id of the page before. */
  async list(total: TotalOfEntries, after: number | undefined, by: Actor): Promise<EntriesOfTotal> {
    const page = await this.transactions.run((tx) => readPage(tx, total, after));
    await this.audit.recordReading({
      action: READING_ACTIONS.list,
      subject: 'contributions',
      peopleIds: page.entries.map(({ peopleId }) => peopleId),
      details: { contributions: page.entries.length },
      by,
    });
    return page;
  }
}

async function readPage(
  tx: EntityManager,
  { from, to, currency, fundId }: TotalOfEntries,
  after: number | undefined,
): Promise<EntriesOfTotal> {
  const values = [from, to, currency, fundId];
  const { rows = 0, sum = '0' } = (await sqlRow<{ rows: number; sum: string }>(tx, SELECT_SUM, values)) ?? {};
  const ids = (await sqlRows<{ id: number }>(tx, SELECT_PAGE, [...values, after])).map(({ id }) => id);
  const shown = ids.slice(0, ENTRIES_PER_PAGE);
  const entries = (await sqlRows<ContributionRow>(tx, SELECT_ROWS, [shown])).map(viewOf);
  return {
    entries,
    next: ids.length > ENTRIES_PER_PAGE ? shown.at(-1) : undefined,
    sum: displayAmount(sum, currency),
    count: { rows, more: false },
  };
}
