import type { EntityManager } from 'typeorm';
import { sqlRow } from '../../../database/index.js';
import type { AddParameter, GiftFilter } from './gift-filter.js';

type Days = Pick<GiftFilter, 'from' | 'to'>;

/** The lowest and the highest id of some entries, both included. */
export interface IdSpan {
  readonly first: number;
  readonly last: number;
}

/**
 * SQL for FROM: a row `each` with its `day` for every day of the filter, up to the last one that has an entry. As an array, because the
 * planner expects a thousand rows from `generate_series`.
 */
export function daysOf({ from, to }: Days, add: AddParameter): string {
  return `unnest(ARRAY(
    SELECT day::date FROM generate_series(${add(from)}::timestamp,
      LEAST(${add(to ?? 'infinity')}::date, (SELECT max(day) FROM contribution))::timestamp, '1 day') AS of (day)
  )) AS each (day)`;
}

/**
 * The ids of the entries of a few days. They are usually close together, because gifts are recorded soon after they are given. The
 * span contains no id if the days have no entry.
 */
export async function readIdSpan(tx: EntityManager, days: Days): Promise<IdSpan> {
  const values: unknown[] = [];
  const from = daysOf(days, (value) => `$${values.push(value)}`);
  const span = await sqlRow<IdSpan>(
    tx,
    `SELECT COALESCE(min(e.first), 0) AS first, COALESCE(max(e.last), -1) AS last
     FROM ${from} CROSS JOIN LATERAL (
       SELECT min(id) AS first, max(id) AS last FROM contribution WHERE contribution.day = each.day) e`,
    values,
  );
  if (span === undefined) throw new Error('An aggregate returned no row');
  return span;
}
