import type { VNode } from 'preact';
import {
  Amount,
  type Bar,
  BarChart,
  type Column,
  Day,
  EmptyState,
  Link,
  queryOf,
  Table,
  usePage,
} from '../../../pages/index.js';
import { barOfSums } from './bar-of-sums.js';
import { ComparedYears } from './compared-years.js';
import { ENTRIES, queryOfTotal } from './entries-of-total-parts.js';
import type { TotalOfEntries } from './list-entries-of-total.service.js';
import { monthInWords } from './month-words.js';
import type { CurrencySums, FundSums, MonthSums, TotalsView } from './totals-view.js';

/** More bars would be too narrow to tell apart. */
const MOST_BARS = 12;

/** Of which church it is, and when it was printed. Only on paper. */
export function PrintedOn({ day }: { readonly day: string }): VNode {
  return (
    <p class="printed">
      {usePage().church.name}, <Day value={day} />
    </p>
  );
}

interface TotalsOfMonthsProps {
  /** The months in words. */
  readonly period: string;
  readonly totals: TotalsView;
  /** Of the same months of the year before. */
  readonly earlier: TotalsView;
}

/** The totals of some months, in each currency, and beside them those of the year before. */
export function TotalsOfMonths({ period, totals, earlier }: TotalsOfMonthsProps): VNode {
  const used = totals.currencies.filter(({ funds }) => funds.length > 0);
  if (used.length === 0) {
    return (
      <EmptyState>
        Nothing is recorded in {period}. Each fund with gifts of that time would be a row here, with its months.
      </EmptyState>
    );
  }
  return (
    <>
      <p class="help">
        All amounts are net of reversals: what was taken back is subtracted in the month in which it was taken back. A
        gift that was moved to another fund is subtracted from the one and added to the other in the month of the move.
        Pledges are promises, and part of no sum but their own.{' '}
        <span class="on-screen">Each number leads to the gifts that add up to it.</span>
      </p>
      {used.map((sums) => (
        <TotalsInCurrency key={sums.currency} sums={sums} months={totals.months} />
      ))}
      <ComparedYears totals={totals} earlier={earlier} />
    </>
  );
}

interface SumsProps {
  readonly sums: CurrencySums;
  readonly months: readonly string[];
}

function TotalsInCurrency(props: SumsProps): VNode {
  const { currency } = props.sums;
  return (
    <>
      <BarChart caption={`Net by fund in ${currency}`} bars={barsOf(props.sums)} />
      <h2>By fund and month, in {currency}</h2>
      <MonthTable {...props} />
      <h2>Deductible, and the rest, in {currency}</h2>
      <KindTable {...props} />
    </>
  );
}

function MonthTable({ sums, months }: SumsProps): VNode {
  const { currency } = sums;
  const caption = `Net by fund and month in ${currency}`;
  const header = months.length === 12 ? 'Year' : 'Sum';
  const all = { from: months[0] ?? '', to: months.at(-1) ?? '', fundId: undefined, currency };
  // The sum of one month would be the same column again.
  const sumColumn: Column<FundSums> = {
    header,
    align: 'right',
    cell: ({ fundId, sum }) => <Net sums={sum} of={{ ...all, fundId }} />,
  };
  return (
    <div class="wide" role="region" aria-label={caption} tabIndex={0}>
      <Table
        caption={caption}
        rows={sums.funds}
        keyOf={({ fundId }) => fundId}
        empty={null}
        columns={[
          { header: 'Fund', cell: ({ name }) => name },
          ...(months.length > 1 ? [sumColumn] : []),
          ...months.map((month, index) => monthColumn(currency, month, index)),
        ]}
        totals={{
          Fund: 'All funds',
          ...Object.fromEntries(
            months.map((month, index) => [
              shortOf(month),
              <Net key={month} sums={sums.months[index]} of={{ ...all, from: month, to: month }} />,
            ]),
          ),
          [header]: <Net sums={sums.sum} of={all} />,
        }}
      />
    </div>
  );
}

function KindTable({ sums: { currency, funds, sum: all } }: SumsProps): VNode {
  return (
    <Table
      caption={`Deductible gifts, and the rest, by fund in ${currency}`}
      rows={funds}
      keyOf={({ fundId }) => fundId}
      empty={null}
      columns={[
        { header: 'Fund', cell: ({ name }) => name },
        { header: 'Gifts', align: 'right', cell: ({ sum }) => sum.gifts },
        ...KINDS.map(kindColumn),
      ]}
      totals={{
        Fund: 'All funds',
        Gifts: all.gifts,
        ...Object.fromEntries(KINDS.map(([header, kind]) => [header, <Amount key={kind} value={all[kind]} />])),
      }}
    />
  );
}

const KINDS = [
  ['Deductible', 'deductible'],
  ['Not deductible', 'nonDeductible'],
  ['In kind and stock', 'nonCash'],
  ['Net', 'total'],
  ['Pledges', 'pledges'],
] as const;

function kindColumn([header, kind]: (typeof KINDS)[number]): Column<FundSums> {
  return { header, align: 'right', cell: ({ sum }) => <Amount value={sum[kind]} /> };
}

function monthColumn(currency: string, month: string, index: number): Column<FundSums> {
  const of = { from: month, to: month, currency };
  return {
    header: shortOf(month),
    align: 'right',
    cell: ({ fundId, months }) => <Net sums={months[index]} of={{ ...of, fundId }} />,
  };
}

function shortOf(month: string): string {
  return monthInWords(month).label;
}

interface NetProps {
  readonly sums: MonthSums | undefined;
  readonly of: TotalOfEntries;
}

/** A net sum, with a link to what adds up to it; nothing for a month without entries, so that the others stand out. */
function Net({ sums, of }: NetProps): VNode | null {
  if (sums === undefined || (sums.gifts === 0 && Number(sums.total) === 0)) return null;
  return (
    <Link to={ENTRIES + queryOf(queryOfTotal(of))}>
      <Amount value={sums.total} />
    </Link>
  );
}

function barsOf({ currency, funds }: CurrencySums): Bar[] {
  const largest = [...funds].sort((one, other) => Number(other.sum.total) - Number(one.sum.total)).slice(0, MOST_BARS);
  return largest.map(({ name, sum }) => barOfSums({ label: name, name }, sum, currency));
}
