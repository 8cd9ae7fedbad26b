import { stringify } from 'csv-stringify/sync';
import { guardFormulas, SPREADSHEET_CSV } from '../../../values/index.js';
import type { MonthSums, TotalsView } from './totals-view.js';

const HEADINGS = ['Currency', 'FundId', 'Fund', 'Month', 'Gifts', 'Net'] as const;
const PARTS = ['Deductible', 'NonDeductible', 'NonCash', 'Pledges'] as const;

/**
 * Totals as CSV for a spreadsheet, in UTF-8 with a byte order mark: a line for each fund and month in which something was
 * recorded, so that a spreadsheet can sum up the lines in its own way.
 */
export function totalsCsv({ months, currencies }: TotalsView): string {
  const lines = currencies.flatMap(({ currency, funds }) =>
    funds.flatMap(({ fundId, name, months: sums }) =>
      sums.flatMap((sum, index) =>
        isEmpty(sum) ? [] : [[currency, fundId, guardFormulas(name), months[index] ?? '', ...figuresOf(sum)]],
      ),
    ),
  );
  return stringify([[...HEADINGS, ...PARTS], ...lines], { ...SPREADSHEET_CSV, bom: true, cast: {} });
}

function figuresOf({ gifts, total, deductible, nonDeductible, nonCash, pledges }: MonthSums): (string | number)[] {
  return [gifts, total, deductible, nonDeductible, nonCash, pledges];
}

function isEmpty(sum: MonthSums): boolean {
  return figuresOf(sum).every((figure) => Number(figure) === 0);
}
