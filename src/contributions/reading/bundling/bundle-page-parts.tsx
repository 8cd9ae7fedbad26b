import type { ComponentChildren, VNode } from 'preact';
import {
  Amount,
  type Column,
  Day,
  Facts,
  groupedCount,
  Link,
  Moment,
  PrintButton,
  Table,
} from '../../../pages/index.js';
import { type BundleDetails, TotalsInWords, type TypeTotals } from '../../bundles/index.js';
import { typeInWords } from '../../ledger/index.js';
import { METHODS_IN_WORDS } from '../gift-pages/wording.js';

interface BundleActionsProps {
  readonly bundle: BundleDetails;
  readonly mayClose: boolean;
}

/** What can be done with a bundle. */
export function BundleActions({ bundle: { bundleId, status }, mayClose }: BundleActionsProps): VNode {
  const path = `/console/bundles/${bundleId}`;
  return (
    <>
      {status === 'Open' && mayClose && (
        <Link to={`${path}/close`} button hotkey="c">
          Close…
        </Link>
      )}
      <Link to={`${path}/export`} button>
        Download CSV
      </Link>
      <PrintButton />
    </>
  );
}

/** What a bundle is, and what it holds. */
export function BundleFacts({ bundle }: { readonly bundle: BundleDetails }): VNode {
  const closed: readonly (readonly [string, ComponentChildren])[] =
    bundle.closedAt === null
      ? []
      : [
          ['Closed', <Moment key="closed" value={new Date(bundle.closedAt)} />],
          ['Closed by', bundle.closedBy ?? 'SQL'],
        ];
  return (
    <Facts
      facts={[
        ['Contains', <TotalsInWords key="contains" totals={bundle.totals} />],
        ['Day', <Day key="day" value={bundle.day} />],
        ['Recorded by', bundle.user],
        ['Kind', bundle.bundleType],
        ['Status', bundle.status],
        ...closed,
      ]}
    />
  );
}

/** The totals of a bundle by fund, by type and by method. */
export function BundleSums({ bundle: { byFund, byType, byMethod } }: { readonly bundle: BundleDetails }): VNode {
  return (
    <div class="beside">
      <Sums by="Fund" rows={byFund.map(({ fund, ...sum }) => ({ ...sum, name: fund }))} />
      <Sums
        by="Type"
        rows={byType.map(({ contributionTypeId, contributionType, ...sum }) => ({
          ...sum,
          name: typeInWords(contributionTypeId, contributionType),
        }))}
      />
      <Sums
        by="Method"
        rows={byMethod.map(({ method, ...sum }) => ({
          ...sum,
          name: method === null ? 'Not sent' : METHODS_IN_WORDS[method],
        }))}
      />
    </div>
  );
}

interface SumsProps {
  /** "Fund" */
  readonly by: string;
  readonly rows: readonly SumsRow[];
}

type SumsRow = Pick<TypeTotals, 'count' | 'total' | 'currency'> & {
  readonly name: string;
  /** Undefined in a table that has pledges as a row. */
  readonly pledgeTotal?: string;
  readonly pledgeCount?: number;
};

/** Pledges are only promises, and have a column of their own. */
const PLEDGES: readonly Column<SumsRow>[] = [
  { header: 'Pledges', align: 'right', cell: ({ pledgeCount }) => pledgeCount },
  {
    header: 'Pledged',
    align: 'right',
    cell: ({ pledgeTotal = '0', currency }) => <Amount value={pledgeTotal} currency={currency} />,
  },
];

function Sums({ by, rows }: SumsProps): VNode {
  const hasPledges = rows.some(({ pledgeCount = 0 }) => pledgeCount > 0);
  return (
    <section>
      <h2>By {by.toLowerCase()}</h2>
      <Table
        caption={`Totals by ${by.toLowerCase()}`}
        rows={rows}
        keyOf={({ name, currency }) => `${name} ${currency}`}
        empty="It is empty."
        columns={[
          { header: by, cell: ({ name }) => name },
          { header: 'Count', align: 'right', cell: ({ count }) => groupedCount(count) },
          {
            header: 'Total',
            align: 'right',
            cell: ({ total, currency }) => <Amount value={total} currency={currency} />,
          },
          ...(hasPledges ? PLEDGES : []),
        ]}
      />
    </section>
  );
}
