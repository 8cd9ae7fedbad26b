import type { EntityManager } from 'typeorm';
import { sqlRow } from '../../../database/index.js';
import type { GiftFilter } from './gift-filter.js';

/** The lowest and the highest id of some entries, both included. */
export interface IdSpan {
  readonly first: number;
  readonly last: number;
}

/** $1, $2 the first and the last day. "+ 0": otherwise a plan may go along the ids until it finds the days. */
const SELECT_SPAN = `
  SELECT COALESCE(min(id + 0), 0) AS first, COALESCE(max(id + 0), -1) AS last
  FROM contribution WHERE day BETWEEN $1 AND $2`;

/**
 * The ids of the entries of these days. They are usually close together, because gifts are recorded soon after they are given. The
 * span contains no id if the days have no entry.
 */
export async function readIdSpan(tx: EntityManager, { from, to }: Pick<GiftFilter, 'from' | 'to'>): Promise<IdSpan> {
  const span = await sqlRow<IdSpan>(tx, SELECT_SPAN, [from ?? '-infinity', to ?? 'infinity']);
  if (span === undefined) throw new Error('An aggregate returned no row');
  return span;
}
