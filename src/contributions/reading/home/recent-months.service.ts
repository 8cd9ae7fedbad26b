import { Injectable } from '@nestjs/common';
import { Church } from '../../../config/index.js';
import { DatabaseClock, Transactions } from '../../../database/index.js';
import { churchToday, displayAmount } from '../../../values/index.js';
import { JOIN_GIFT, SUMS } from '../../ledger/index.js';

/** What was given in one month, in the church's currency and without pledges. */
export interface MonthOfGiving {
  /** YYYY-MM */
  readonly month: string;
  readonly count: number;
  /** Decimal text, net of what was reversed. */
  readonly total: string;
}

const MONTHS = 12;

/** How long a result is shown again, in milliseconds: the sums of a year take a while, and change little. */
const FRESH_MS = 5 * 60_000;

const SELECT = `
  WITH month AS (
    SELECT generate_series(date_trunc('month', $1::date) - interval '${MONTHS - 1} months', date_trunc('month', $1::date),
      interval '1 month')::date AS first
  ), sums AS (
    SELECT date_trunc('month', c.day)::date AS first, ${SUMS}
    FROM contribution c ${JOIN_GIFT}
    WHERE c.currency = $2 AND c.day >= (SELECT min(first) FROM month)
    GROUP BY 1, c.currency
  )
  SELECT to_char(month.first, 'YYYY-MM') AS month, COALESCE(count, 0)::integer AS count, COALESCE(total, '0') AS total
  FROM month LEFT JOIN sums USING (first) ORDER BY month.first`;

/** What was given in each of the last twelve months. */
@Injectable()
export class RecentMonths {
  private latest: { readonly at: number; readonly months: Promise<MonthOfGiving[]> } | undefined;

  constructor(
    private readonly church: Church,
    private readonly clock: DatabaseClock,
    private readonly transactions: Transactions,
  ) {}

  /** The oldest first, at most five minutes old. */
  list(): Promise<readonly MonthOfGiving[]> {
    if (this.latest === undefined || performance.now() - this.latest.at > FRESH_MS) {
      const latest = { at: performance.now(), months: this.read() };
      this.latest = latest;
      latest.months.catch(() => {
        if (this.latest === latest) this.latest = undefined;
      });
    }
    return this.latest.months;
  }

  private async read(): Promise<MonthOfGiving[]> {
    const { currency, timeZone } = this.church;
    const today = churchToday(this.clock.now(), timeZone);
    const rows = await this.transactions.query<MonthOfGiving>(SELECT, [today, currency]);
    return rows.map((row) => ({ ...row, total: displayAmount(row.total, currency) }));
  }
}
