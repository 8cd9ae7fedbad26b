import type { EntityManager } from 'typeorm';
import { sqlRows } from '../../database/index.js';
import { displayAmount } from '../../values/index.js';
import { displayTotals, JOIN_GIFT, SUMS, TYPE_OF_GIFT } from '../ledger/index.js';
import type { BundleDetails, TypeTotals } from './bundle-view.js';

/** The totals within a bundle, by fund, by type and by method. */
export async function sumsWithin(
  tx: EntityManager,
  bundleId: number,
): Promise<Pick<BundleDetails, 'byFund' | 'byType' | 'byMethod'>> {
  return {
    byFund: await byFund(tx, bundleId),
    byType: await byType(tx, bundleId),
    byMethod: await byMethod(tx, bundleId),
  };
}

async function byFund(tx: EntityManager, bundleId: number): Promise<BundleDetails['byFund']> {
  const rows = await sqlRows<BundleDetails['byFund'][number]>(
    tx,
    `SELECT f.id AS "fundId", f.name AS fund, ${SUMS}
     FROM contribution c ${JOIN_GIFT} JOIN fund f ON f.id = c.fund_id
     WHERE c.bundle_id = $1 GROUP BY f.id, c.currency ORDER BY f.id, c.currency`,
    [bundleId],
  );
  return rows.map(displayTotals);
}

async function byType(tx: EntityManager, bundleId: number): Promise<TypeTotals[]> {
  const rows = await sqlRows<TypeTotals>(
    tx,
    `SELECT t.id AS "contributionTypeId", t.name AS "contributionType", c.currency, count(*)::integer AS count,
       sum(c.amount)::text AS total
     FROM contribution c ${JOIN_GIFT} JOIN contribution_type t ON t.id = ${TYPE_OF_GIFT}
     WHERE c.bundle_id = $1 GROUP BY t.id, c.currency ORDER BY t.id, c.currency`,
    [bundleId],
  );
  return rows.map((row) => ({ ...row, total: displayAmount(row.total, row.currency) }));
}

async function byMethod(tx: EntityManager, bundleId: number): Promise<BundleDetails['byMethod']> {
  const rows = await sqlRows<BundleDetails['byMethod'][number]>(
    tx,
    `SELECT p.method, ${SUMS}
     FROM contribution c ${JOIN_GIFT} JOIN payment p ON p.id = c.payment_id
     WHERE c.bundle_id = $1 GROUP BY p.method, c.currency ORDER BY p.method, c.currency`,
    [bundleId],
  );
  return rows.map(displayTotals);
}
