import { Injectable } from '@nestjs/common';
import { type Actor, AuditTrail } from '../../../audit/index.js';
import { Church } from '../../../config/index.js';
import { DatabaseClock, Transactions } from '../../../database/index.js';
import { churchToday, displayAmount } from '../../../values/index.js';
import { PLEDGE_TYPE } from '../../ledger/index.js';
import { DEPOSIT_ACTIONS } from '../audit-actions.js';
import { depositOfPayout } from '../deposit-of-payout.js';
import {
  PAYOUTS_PER_LIST,
  type PayoutView,
  ROWS_PER_PAGE,
  type UndepositedPage,
  type UndepositedView,
} from './payout-view.js';

/** Which payouts to list. Days are YYYY-MM-DD. */
export interface PayoutFilter {
  readonly source?: string | undefined;
  /** The first day of gifts; undefined: 90 days ago. */
  readonly from?: string | undefined;
}

/** Which payments and reversals to list. */
export interface UndepositedFilter {
  readonly source: string;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly currency?: string | undefined;
  /** The last one of the previous page. */
  readonly after?: number | undefined;
}

/** How far back payouts are listed, and gifts that no deposit has, in days. A list without a limit would read all gifts. */
const DAYS_OF_PAYOUTS = 90;
const DAYS_OF_GIFTS = 30;

const IN_NO_DEPOSIT = `NOT EXISTS (
  SELECT FROM deposit_item held WHERE held.payment_id = p.id AND NOT held.is_reversal AND held.removed_at IS NULL)`;

/** Gifts `c` and payments `p` of payouts that no deposit has. $1 first day, $2 source */
const IN_PAYOUTS = `
  FROM contribution c JOIN payment p ON p.id = c.id
  WHERE c.day >= $1 AND c.payment_id = c.id AND p.payout_id IS NOT NULL AND ($2::text IS NULL OR c.source = $2)
    AND ${IN_NO_DEPOSIT}
  GROUP BY c.source, p.payout_id, c.currency`;

const SELECT_PAYOUTS = `
  SELECT one.*, d.id AS deposit, d.reconciled_at IS NOT NULL AS reconciled
  FROM (
    SELECT c.source, p.payout_id AS "payoutId", count(*)::integer AS count, c.currency, sum(p.amount)::text AS gross,
      COALESCE(sum(p.fee), 0)::text AS fees, (count(*) FILTER (WHERE p.fee IS NULL))::integer AS "unknownFees",
      min(c.day)::text AS "from", max(c.day)::text AS "to"
    ${IN_PAYOUTS}
    ORDER BY max(c.day) DESC, p.payout_id LIMIT ${PAYOUTS_PER_LIST}
  ) one
    LEFT JOIN deposit d
      ON d.id = ${depositOfPayout({ source: 'one.source', payoutId: 'one."payoutId"', currency: 'one.currency' })}
  ORDER BY one."to" DESC, one."payoutId"`;

const COUNT_PAYOUTS = `
  SELECT count(*)::integer AS count FROM (SELECT ${IN_PAYOUTS} LIMIT ${PAYOUTS_PER_LIST}) one`;

type UndepositedRow = Omit<UndepositedView, 'giver'> & UndepositedView['giver'];

/** A pledge is only a promise, and is never paid out. $1 source, $2 from, $3 to, $4 after this id, $5 currency */
const SELECT_UNDEPOSITED = `
  SELECT one.*, n.id AS "peopleId", n.first_name AS first, n.last_name AS last
  FROM (
    SELECT p.id AS "contributionId", 'Payment' AS kind, c.day::text AS day, c.currency, p.amount::text AS amount,
      p.fee::text AS fee, c.transaction_id AS "transactionId", p.payout_id AS "payoutId", c.person_id
    FROM contribution c JOIN payment p ON p.id = c.id
    WHERE c.day BETWEEN $2::date AND $3::date AND c.payment_id = c.id AND c.source = $1 AND c.id > $4
      AND c.contribution_type_id <> ${PLEDGE_TYPE} AND ($5::text IS NULL OR c.currency = $5) AND ${IN_NO_DEPOSIT}
    UNION ALL
    SELECT r.reversal_id, 'Reversal', min(r.day)::text, c.currency, (-sum(r.amount))::text, NULL, c.transaction_id, p.payout_id,
      c.person_id
    FROM contribution r JOIN contribution c ON c.id = r.payment_id JOIN payment p ON p.id = r.payment_id
    WHERE r.day BETWEEN $2::date AND $3::date AND r.reverses_id IS NOT NULL AND r.reversal_id > $4 AND c.source = $1
      AND ($5::text IS NULL OR c.currency = $5)
      AND NOT EXISTS (SELECT FROM contribution back WHERE back.reinstates_id = r.id)
      AND NOT EXISTS (SELECT FROM deposit_item held WHERE held.reversal_id = r.reversal_id AND held.removed_at IS NULL)
    GROUP BY r.reversal_id, c.id, p.id
  ) one JOIN person n ON n.id = one.person_id
  ORDER BY "contributionId" LIMIT ${ROWS_PER_PAGE + 1}`;

/** Lists what no deposit has. */
@Injectable()
export class Undeposited {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: DatabaseClock,
    private readonly church: Church,
    private readonly audit: AuditTrail,
  ) {}

  /** Payouts with gifts that no deposit has, the latest first, at most 200. */
  async payouts({ source, from }: PayoutFilter): Promise<PayoutView[]> {
    const first = from ?? daysBefore(this.today(), DAYS_OF_PAYOUTS);
    const rows = await this.transactions.query<PayoutView>(SELECT_PAYOUTS, [first, source]);
    return rows.map(({ gross, fees, ...rest }) => ({
      ...rest,
      gross: displayAmount(gross, rest.currency),
      fees: displayAmount(fees, rest.currency),
    }));
  }

  /** How many payouts {@link payouts} lists. */
  async countPayouts(): Promise<number> {
    const first = daysBefore(this.today(), DAYS_OF_PAYOUTS);
    const [row] = await this.transactions.query<{ count: number }>(COUNT_PAYOUTS, [first, null]);
    return row?.count ?? 0;
  }

  /** Payments and reversals of a source that no deposit has, by id, at most 200. The reading is recorded. */
  async page({ source, from, to, currency, after = 0 }: UndepositedFilter, by: Actor): Promise<UndepositedPage> {
    const last = to ?? this.today();
    const values = [source, from ?? daysBefore(last, DAYS_OF_GIFTS), last, after, currency];
    const rows = await this.transactions.query<UndepositedRow>(SELECT_UNDEPOSITED, values);
    const shown = rows.slice(0, ROWS_PER_PAGE);
    const peopleIds = shown.map(({ peopleId }) => peopleId);
    await this.audit.recordReading({ action: DEPOSIT_ACTIONS.compare, subject: 'deposits', peopleIds, by });
    return {
      undeposited: shown.map(undepositedOf),
      next: rows.length > ROWS_PER_PAGE ? (shown.at(-1)?.contributionId ?? null) : null,
    };
  }

  private today(): string {
    return churchToday(this.clock.now(), this.church.timeZone);
  }
}

function undepositedOf(row: UndepositedRow): UndepositedView {
  const { contributionId, kind, day, currency, amount, fee, transactionId, payoutId, peopleId, first, last } = row;
  return {
    contributionId,
    kind,
    day,
    currency,
    amount: displayAmount(amount, currency),
    fee: fee === null ? null : displayAmount(fee, currency),
    transactionId,
    payoutId,
    giver: { peopleId, first, last },
  };
}

/** The day so many days before a day; both are YYYY-MM-DD. A negative number leads to a later day. */
export function daysBefore(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10);
}
