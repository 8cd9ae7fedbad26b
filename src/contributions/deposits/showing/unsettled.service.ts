import { Injectable } from '@nestjs/common';
import { Transactions } from '../../../database/index.js';

/** Entries of a bundle that are in a deposit that is not reconciled. */
export interface HeldEntries {
  readonly bundleId: number;
  readonly depositId: number;
  readonly count: number;
}

/** Begins with the entries of the bundles, and looks up each in an index. $1 bundles */
const SELECT_HELD = `
  SELECT held.bundle_id AS "bundleId", d.id AS "depositId", count(*)::integer AS count
  FROM (
    SELECT c.bundle_id, i.deposit_id
    FROM contribution c JOIN deposit_item i ON i.payment_id = c.payment_id AND NOT i.is_reversal AND i.removed_at IS NULL
    WHERE c.bundle_id = ANY ($1::integer[]) AND c.reverses_id IS NULL AND c.reinstates_id IS NULL AND c.moves_id IS NULL
    UNION ALL
    SELECT c.bundle_id, i.deposit_id
    FROM contribution c JOIN deposit_item i ON i.reversal_id = c.reversal_id AND i.removed_at IS NULL
    WHERE c.bundle_id = ANY ($1::integer[]) AND c.reverses_id IS NOT NULL AND c.moves_id IS NULL
  ) held JOIN deposit d ON d.id = held.deposit_id
  WHERE d.reconciled_at IS NULL
  GROUP BY held.bundle_id, d.id ORDER BY held.bundle_id, d.id`;

/** $1 deposits */
const COUNT_OPEN_REVIEWS = `
  SELECT count(*)::integer AS count
  FROM review r JOIN contribution c ON c.id = r.contribution_id
    JOIN deposit_item i ON i.payment_id = c.payment_id AND NOT i.is_reversal AND i.removed_at IS NULL
  WHERE r.accepted_at IS NULL AND i.deposit_id = ANY ($1::integer[])`;

/** Says what is not settled yet of bundles and deposits that somebody is about to close or to reconcile. */
@Injectable()
export class Unsettled {
  constructor(private readonly transactions: Transactions) {}

  /** Which deposits that are not reconciled have entries of these bundles, by bundle and deposit. */
  async heldEntries(bundleIds: readonly number[]): Promise<readonly HeldEntries[]> {
    if (bundleIds.length === 0) return [];
    return this.transactions.query<HeldEntries>(SELECT_HELD, [bundleIds]);
  }

  /** How many gifts in these deposits have an open review. */
  async countOpenReviews(depositIds: readonly number[]): Promise<number> {
    if (depositIds.length === 0) return 0;
    const [row] = await this.transactions.query<{ readonly count: number }>(COUNT_OPEN_REVIEWS, [depositIds]);
    return row?.count ?? 0;
  }
}
