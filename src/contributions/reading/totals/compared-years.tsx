import type { VNode } from 'preact';
import { Amount, Table } from '../../../pages/index.js';
import { displayAmount, fromCents, storedAmount, toCents } from '../../../values/index.js';
import { monthsInWords } from './month-words.js';
import type { CurrencySums, TotalsView } from './totals-view.js';

interface ComparedProps {
  readonly totals: TotalsView;
  /** Of the same months of the year before. */
  readonly earlier: TotalsView;
}

/** The net sums of each fund beside those of the same months of the year before, in each currency. */
export function ComparedYears({ totals, earlier }: ComparedProps): VNode {
  const codes = [...new Set([...totals.currencies, ...earlier.currencies].map(({ currency }) => currency))];
  const pairs = codes.map((currency) => ({
    currency,
    now: sumsOf(totals, currency),
    before: sumsOf(earlier, currency),
  }));
  const used = pairs.filter(({ now, before }) => (now?.funds.length ?? 0) + (before?.funds.length ?? 0) > 0);
  return (
    <>
      {used.map((pair) => (
        <ComparedInCurrency key={pair.currency} {...pair} {...periodsOf(totals, earlier)} />
      ))}
    </>
  );
}

function sumsOf({ currencies }: TotalsView, code: string): CurrencySums | undefined {
  return currencies.find(({ currency }) => currency === code);
}

interface Periods {
  readonly period: string;
  readonly periodBefore: string;
}

function periodsOf(totals: TotalsView, earlier: TotalsView): Periods {
  const nameOf = ({ months }: TotalsView): string => monthsInWords(months[0] ?? '', months.at(-1) ?? '');
  return { period: nameOf(totals), periodBefore: nameOf(earlier) };
}

interface PairProps extends Periods {
  readonly currency: string;
  readonly now: CurrencySums | undefined;
  readonly before: CurrencySums | undefined;
}

function ComparedInCurrency({ currency, now, before, period, periodBefore }: PairProps): VNode {
  const zero = displayAmount(fromCents(0n), currency);
  const names = new Map([...(now?.funds ?? []), ...(before?.funds ?? [])].map(({ fundId, name }) => [fundId, name]));
  const netOf = (sums: CurrencySums | undefined, id: number): string =>
    sums?.funds.find(({ fundId }) => fundId === id)?.sum.total ?? zero;
  const rows = [...names]
    .sort(([one], [other]) => one - other)
    .map(([id, name]) => ({ id, name, net: netOf(now, id), netBefore: netOf(before, id) }));
  const all = { net: now?.sum.total ?? zero, netBefore: before?.sum.total ?? zero };
  return (
    <>
      <h2>
        {period} and {periodBefore}, in {currency}
      </h2>
      <Table
        caption={`Net by fund in ${currency}, beside the same months of the year before`}
        rows={rows}
        keyOf={({ id }) => id}
        empty={null}
        columns={[
          { header: 'Fund', cell: ({ name }) => name },
          { header: period, align: 'right', cell: ({ net }) => <Amount value={net} /> },
          { header: periodBefore, align: 'right', cell: ({ netBefore }) => <Amount value={netBefore} /> },
          { header: 'Change', align: 'right', cell: (row) => <Amount value={changeOf(row, currency)} /> },
        ]}
        totals={{
          Fund: 'All funds',
          [period]: <Amount value={all.net} />,
          [periodBefore]: <Amount value={all.netBefore} />,
          Change: <Amount value={changeOf(all, currency)} />,
        }}
      />
    </>
  );
}

function changeOf({ net, netBefore }: { readonly net: string; readonly netBefore: string }, currency: string): string {
  return displayAmount(fromCents(toCents(storedAmount(net)) - toCents(storedAmount(netBefore))), currency);
}
