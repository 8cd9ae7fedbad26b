import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Church } from '../../config/index.js';
import { type Actor, type AuditDetails, AuditTrail, nameOf } from '../../audit/index.js';
import {
  DatabaseClock,
  type RowCount,
  sqlRow,
  sqlRows,
  TransactionalEvents,
  Transactions,
} from '../../database/index.js';
import { BundleClosed } from '../events/index.js';
import { BundleChangedError, BundleNotFoundError } from './errors.js';
import { sumsWithin } from './bundle-sums.js';
import { type BundleDetails, BUNDLES_PER_LIST, type BundleView } from './bundle-view.js';
import { churchToday } from '../../values/index.js';
import { displayTotals, JOIN_GIFT, OPEN, SUMS, type Totals } from '../ledger/index.js';
import { BUNDLE_ACTIONS } from './audit-actions.js';

/** The filter of a list of bundles. Undefined fields do not filter. */
export interface BundleFilter {
  readonly status?: 'Open' | 'Closed' | undefined;
  /** Days in church time, YYYY-MM-DD, both included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** The name of the user who added the gifts. */
  readonly user?: string | undefined;
  readonly bundleTypeId?: number | undefined;
  readonly ids?: readonly number[] | undefined;
  /** Only bundles with a lower id: the last id of the previous page. */
  readonly before?: number | undefined;
}

/** A kind of bundles. */
export interface KindOfBundle {
  readonly bundleTypeId: number;
  readonly name: string;
}

/** Whether a bundle has the totals that the caller expects. */
export type IsExpected = (totals: readonly Totals[]) => boolean;

/** Bundles that nobody has closed for some days. */
export interface OpenBundles {
  readonly count: number;
  /** The latest of their days; undefined if there are none. */
  readonly lastDay: string | undefined;
}

/** A bundle to close. */
export interface CloseBundleCommand {
  readonly bundleId: number;
  readonly by: Actor;
  /** Whether the totals agree with the bank's. Default: any do. */
  readonly isExpected?: IsExpected | undefined;
}

const SELECT_BUNDLE = `
  SELECT b.id AS "bundleId", b.bundle_type_id AS "bundleTypeId", t.name AS "bundleType", u.username AS "user",
    b.day::text AS day, CASE b.status WHEN ${OPEN} THEN 'Open' ELSE 'Closed' END AS status,
    b.created_at AS "createdAt", b.closed_at AS "closedAt", b.closed_by AS "closedBy"
  FROM bundle b JOIN bundle_type t ON t.id = b.bundle_type_id JOIN app_user u ON u.id = b.user_id`;

/** Undefined filters are null, and select everything. */
const SELECTED = `
  ($1::text IS NULL OR b.status = CASE $1 WHEN 'Open' THEN ${OPEN} ELSE 0 END)
  AND ($2::date IS NULL OR b.day >= $2) AND ($3::date IS NULL OR b.day <= $3)
  AND ($4::text IS NULL OR u.username = $4) AND ($5::integer IS NULL OR b.bundle_type_id = $5)
  AND ($6::integer[] IS NULL OR b.id = ANY ($6))`;

const valuesOf = ({ status, from, to, user, bundleTypeId, ids }: BundleFilter): readonly unknown[] => [
  ...[status, from, to, user, bundleTypeId, ids],
];

type BundleRow = Omit<BundleView, 'createdAt' | 'closedAt' | 'totals'> & { createdAt: Date; closedAt: Date | null };

const STILL_OPEN = { status: 'Open', closedAt: null, closedBy: null } as const;

/** Lists, shows and closes bundles. */
@Injectable()
export class Bundles {
  constructor(
    private readonly transactions: Transactions,
    private readonly audit: AuditTrail,
    private readonly events: TransactionalEvents,
    private readonly clock: DatabaseClock,
    private readonly church: Church,
  ) {}

  /** The newest first, at most 200. */
  async list(filter: BundleFilter): Promise<BundleView[]> {
    return this.transactions.run(async (tx) => {
      const rows = await sqlRows<BundleRow>(
        tx,
        `${SELECT_BUNDLE}
         WHERE ${SELECTED} AND ($7::integer IS NULL OR b.id < $7)
         ORDER BY b.id DESC LIMIT ${BUNDLES_PER_LIST}`,
        [...valuesOf(filter), filter.before],
      );
      return withTotals(tx, rows);
    });
  }

  /** How many bundles the filter selects, on all pages. */
  async count(filter: Omit<BundleFilter, 'before'>): Promise<RowCount | undefined> {
    const select = `SELECT FROM bundle b JOIN app_user u ON u.id = b.user_id WHERE ${SELECTED}`;
    return this.transactions.countSelected(select, valuesOf(filter));
  }

  /** The kinds of bundles, ordered by id. */
  async types(): Promise<KindOfBundle[]> {
    return this.transactions.query<KindOfBundle>('SELECT id AS "bundleTypeId", name FROM bundle_type ORDER BY id');
  }

  /** How many bundles are open, and of a day that is more than so many days ago in church time. */
  async countOpenFor(days: number): Promise<OpenBundles> {
    const today = churchToday(this.clock.now(), this.church.timeZone);
    const [row] = await this.transactions.query<{ count: number; lastDay: string | null }>(
      `SELECT count(*)::integer AS count, max(day)::text AS "lastDay" FROM bundle
       WHERE status = ${OPEN} AND day < $1::date - $2::integer`,
      [today, days],
    );
    return { count: row?.count ?? 0, lastDay: row?.lastDay ?? undefined };
  }

  /** @throws BundleNotFoundError */
  async show(bundleId: number): Promise<BundleDetails> {
    return this.transactions.run((tx) => details(tx, bundleId));
  }

  /**
   * Closes a bundle. It can never change or be opened again; the next gift of its user, day and type opens another one.
   * It waits for running gifts and includes them. Closing a closed bundle has no effect.
   * @throws BundleNotFoundError
   * @throws BundleChangedError if the totals are not as expected; the bundle is not changed.
   */
  async close({ bundleId, by, isExpected = () => true }: CloseBundleCommand): Promise<BundleDetails> {
    return this.transactions.run(async (tx) => {
      await sqlRows(tx, 'SELECT FROM bundle WHERE id = $1 FOR UPDATE', [bundleId]);
      const closed = await sqlRow(
        tx,
        `UPDATE bundle SET status = 0, closed_at = now(), closed_by = $2 WHERE id = $1 AND status = ${OPEN} RETURNING id`,
        [bundleId, nameOf(by)],
      );
      const bundle = await details(tx, bundleId);
      if (!isExpected(bundle.totals)) {
        // What this transaction has closed, its rollback opens again.
        throw new BundleChangedError(closed === undefined ? bundle : { ...bundle, ...STILL_OPEN });
      }
      if (closed !== undefined) {
        const details = closedWith(bundle);
        await this.audit.record(tx, { action: BUNDLE_ACTIONS.close, subject: `bundle ${bundleId}`, details, by });
        await this.events.publish(closedEvent(bundle), tx);
      }
      return bundle;
    });
  }
}

function closedEvent({ bundleId, user: username, closedAt }: BundleView): BundleClosed {
  return new BundleClosed({ eventId: randomUUID(), bundleId, username, closedAt: closedAt ?? '' });
}

/** The totals of a closed bundle for the audit trail: amounts with their currency, and pledges if there are any. */
function closedWith({ totals }: BundleView): AuditDetails {
  const count = totals.reduce((sum, one) => sum + one.count, 0);
  const pledgeCount = totals.reduce((sum, one) => sum + one.pledgeCount, 0);
  return {
    count,
    totals: totals.map(({ currency, total }) => `${currency} ${total}`),
    ...(pledgeCount > 0 && {
      pledgeCount,
      pledgeTotals: totals.map(({ currency, pledgeTotal }) => `${currency} ${pledgeTotal}`),
    }),
  };
}

async function details(tx: EntityManager, bundleId: number): Promise<BundleDetails> {
  const [bundle] = await withTotals(tx, await sqlRows<BundleRow>(tx, `${SELECT_BUNDLE} WHERE b.id = $1`, [bundleId]));
  if (bundle === undefined) throw new BundleNotFoundError(bundleId);
  return { ...bundle, ...(await sumsWithin(tx, bundleId)) };
}

async function withTotals(tx: EntityManager, rows: readonly BundleRow[]): Promise<BundleView[]> {
  const sums = await sqlRows<Totals & { bundleId: number }>(
    tx,
    `SELECT c.bundle_id AS "bundleId", ${SUMS}
     FROM contribution c ${JOIN_GIFT} WHERE c.bundle_id = ANY ($1) GROUP BY c.bundle_id, c.currency ORDER BY c.currency`,
    [rows.map(({ bundleId }) => bundleId)],
  );
  return rows.map(({ createdAt, closedAt, ...row }) => ({
    ...row,
    createdAt: createdAt.toISOString(),
    closedAt: closedAt?.toISOString() ?? null,
    totals: sums.filter((sum) => sum.bundleId === row.bundleId).map(withoutBundle),
  }));
}

function withoutBundle({ currency, count, total, pledgeCount, pledgeTotal }: Totals): Totals {
  return displayTotals({ currency, count, total, pledgeCount, pledgeTotal });
}
