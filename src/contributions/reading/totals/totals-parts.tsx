import type { VNode } from 'preact';
import {
  Amount,
  type Bar,
  BarChart,
  type Column,
  EmptyState,
  FilterForm,
  type FormState,
  groupedAmount,
  Link,
  SubmitButton,
  Table,
  TextField,
} from '../../../pages/index.js';
import { monthInWords } from './month-words.js';
import type { CurrencySums, FundSums, MonthSums, TotalsView } from './totals-view.js';

const TOTALS = '/console/totals';
/** More bars would be too narrow to tell apart. */
const MOST_BARS = 12;

/** The choice of the year, and the way to the years beside it. */
export function YearForm({ year, state }: { readonly year: string; readonly state: FormState }): VNode {
  const [before, after] = [Number(year) - 1, Number(year) + 1].map(String);
  return (
    <FilterForm to={TOTALS} state={state}>
      <TextField name="year" label="Year" value={year} inputMode="numeric" maxLength={4} isSearch />
      <SubmitButton>Show</SubmitButton>
      <Link to={`${TOTALS}?year=${before ?? ''}`} hotkey="[">
        {before}
      </Link>
      <Link to={`${TOTALS}?year=${after ?? ''}`} hotkey="]">
        {after}
      </Link>
    </FilterForm>
  );
}

/** The totals of a year, in each currency. */
export function TotalsOfYear({ year, totals }: { readonly year: string; readonly totals: TotalsView }): VNode {
  const used = totals.currencies.filter(({ funds }) => funds.length > 0);
  if (used.length === 0) {
    return (
      <EmptyState>
        Nothing is recorded in {year}. Each fund with gifts of that year would be a row here, with its months.
      </EmptyState>
    );
  }
  return (
    <>
      {used.map((sums) => (
        <TotalsInCurrency key={sums.currency} sums={sums} months={totals.months} />
      ))}
      <details>
        <summary>What is counted?</summary>
        <p>
          All amounts are net: what was taken back is subtracted in the month in which it was taken back. A gift that
          was moved to another fund is subtracted from the one and added to the other in the month of the move. Pledges
          are only promises, so they are not part of any sum but their own.
        </p>
      </details>
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
  const caption = `Net by fund and month in ${sums.currency}`;
  return (
    <div class="wide" role="region" aria-label={caption} tabIndex={0}>
      <Table
        caption={caption}
        rows={sums.funds}
        keyOf={({ fundId }) => fundId}
        empty={null}
        columns={[
          { header: 'Fund', cell: ({ name }) => name },
          ...months.map(monthColumn),
          { header: 'Year', align: 'right', cell: ({ sum }) => <Net sums={sum} /> },
        ]}
        totals={{
          Fund: 'All funds',
          ...Object.fromEntries(
            months.map((month, index) => [shortOf(month), <Net key={month} sums={sums.months[index]} />]),
          ),
          Year: <Net sums={sums.sum} />,
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

function monthColumn(month: string, index: number): Column<FundSums> {
  return { header: shortOf(month), align: 'right', cell: ({ months }) => <Net sums={months[index]} /> };
}

function shortOf(month: string): string {
  return monthInWords(month).label;
}

/** A net sum; nothing for a month without entries, so that the others stand out. */
function Net({ sums }: { readonly sums: MonthSums | undefined }): VNode | null {
  if (sums === undefined || (sums.gifts === 0 && Number(sums.total) === 0)) return null;
  return <Amount value={sums.total} />;
}

function barsOf({ currency, funds }: CurrencySums): Bar[] {
  const largest = [...funds].sort((one, other) => Number(other.sum.total) - Number(one.sum.total)).slice(0, MOST_BARS);
  return largest.map(({ name, sum: { gifts, total } }) => ({
    label: name,
    name,
    // Only the height of a bar: its exact value is the text.
    height: Number.parseFloat(total),
    short: groupedAmount(total.replace(/\..*/, '')),
    value: `${currency} ${groupedAmount(total)}, ${gifts} ${gifts === 1 ? 'gift' : 'gifts'}`,
  }));
}
