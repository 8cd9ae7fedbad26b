import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Church } from '../../../config/index.js';
import { DatabaseClock, sqlRow, sqlRows, Transactions } from '../../../database/index.js';
import { churchToday } from '../../../values/index.js';
import { TotalsNotReadyError } from '../../ledger/index.js';
import { lastMonths, type Months } from './months.js';
import { toMonths, type TotalsRequest } from './totals.request.js';
import { SELECT_SUMS } from './month-sums.js';
import { sumRows, type SumsRow } from './sum-rows.js';
import type { CurrencySums, FundSums, TotalsView } from './totals-view.js';

/** The months in the picture of a home page. */
const RECENT_MONTHS = 12;

/** Totals by fund and month, exact at the time of the call. They show no person. */
@Injectable()
export class GivingTotals {
  constructor(
    private readonly church: Church,
    private readonly transactions: Transactions,
    private readonly clock: DatabaseClock,
  ) {}

  /** @throws TotalsNotReadyError */
  async of(months: Months): Promise<TotalsView> {
    return this.transactions.run(async (tx) => {
      const rows = await readSums(tx, months);
      const names = await sqlRows<{ id: number; name: string }>(tx, 'SELECT id, name FROM fund');
      const nameOf = new Map(names.map(({ id, name }) => [id, name]));
      return { months, currencies: this.currenciesOf(rows).map((code) => sumsIn(code, rows, months, nameOf)) };
    });
  }

  /** The months of a request: by default, those of this year in church time. @throws InvalidRequestError */
  monthsOf(request: TotalsRequest): Months {
    return toMonths(request, this.clock.now(), this.church.timeZone);
  }

  /** Today in church time, YYYY-MM-DD. */
  today(): string {
    return churchToday(this.clock.now(), this.church.timeZone);
  }

  /** The sums of the last twelve months, this month included. @throws TotalsNotReadyError */
  async recent(): Promise<TotalsView> {
    return this.of(lastMonths(this.today(), RECENT_MONTHS));
  }

  private currenciesOf(rows: readonly SumsRow[]): string[] {
    return [...new Set([this.church.currency, ...rows.map(({ currency }) => currency)])];
  }
}

/** The lock keeps the stored sums as they are until the transaction ends. */
const LOCK_PROGRESS = "SELECT up_to, complete FROM reading_progress WHERE reader = 'totals' FOR SHARE";

/** @throws TotalsNotReadyError */
async function readSums(tx: EntityManager, months: Months): Promise<SumsRow[]> {
  const progress = await sqlRow<{ up_to: number; complete: boolean }>(tx, LOCK_PROGRESS);
  if (progress?.complete !== true) throw new TotalsNotReadyError();
  return sqlRows<SumsRow>(tx, SELECT_SUMS, [`${months[0] ?? ''}-01`, `${months.at(-1) ?? ''}-01`, progress.up_to]);
}

function sumsIn(
  currency: string,
  all: readonly SumsRow[],
  months: Months,
  nameOf: ReadonlyMap<number, string>,
): CurrencySums {
  const rows = all.filter((row) => row.currency === currency);
  const byMonth = (some: readonly SumsRow[]): FundSums['months'] =>
    months.map((month) =>
      sumRows(
        some.filter((row) => row.month === month),
        currency,
      ),
    );
  const funds = [...new Set(rows.map(({ fundId }) => fundId))].sort((one, other) => one - other);
  return {
    currency,
    funds: funds.map((fundId) => {
      const own = rows.filter((row) => row.fundId === fundId);
      return { fundId, name: nameOf.get(fundId) ?? '', months: byMonth(own), sum: sumRows(own, currency) };
    }),
    months: byMonth(rows),
    sum: sumRows(rows, currency),
  };
}
