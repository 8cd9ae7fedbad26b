import type { ComponentChildren, VNode } from 'preact';
import { Amount, type Column, Day, Facts, Link, Moment, Table } from '../../../pages/index.js';
import { type BundleDetails, TotalsInWords } from '../../bundles/index.js';
import { TYPE_NAMES } from '../../ledger/index.js';
import type { ContributionView } from '../contribution-view.js';

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
        ['Holds', <TotalsInWords key="holds" totals={bundle.totals} />],
        ['Day', <Day key="day" value={bundle.day} />],
        ['Whose', bundle.user],
        ['Kind', bundle.bundleType],
        ['Status', bundle.status],
        ...closed,
      ]}
    />
  );
}

/** The totals of a bundle by fund and by type. */
export function BundleSums({ bundle }: { readonly bundle: BundleDetails }): VNode {
  return (
    <div class="beside">
      <section>
        <h2>By fund</h2>
        <Table
          caption="Totals by fund"
          rows={bundle.byFund}
          keyOf={({ fundId, currency }) => `${fundId} ${currency}`}
          empty="It is empty."
          columns={[
            { header: 'Fund', cell: ({ fund }) => fund },
            { header: 'Count', align: 'right', cell: ({ count }) => count },
            {
              header: 'Total',
              align: 'right',
              cell: ({ total, currency }) => <Amount value={total} currency={currency} />,
            },
          ]}
        />
      </section>
      <section>
        <h2>By type</h2>
        <Table
          caption="Totals by type"
          rows={bundle.byType}
          keyOf={({ contributionTypeId, currency }) => `${contributionTypeId} ${currency}`}
          empty="It is empty."
          columns={[
            { header: 'Type', cell: ({ contributionType }) => contributionType },
            { header: 'Count', align: 'right', cell: ({ count }) => count },
            {
              header: 'Total',
              align: 'right',
              cell: ({ total, currency }) => <Amount value={total} currency={currency} />,
            },
          ]}
        />
      </section>
      <section>
        <h2>By method</h2>
        <Table
          caption="Totals by method"
          rows={bundle.byMethod}
          keyOf={({ method, currency }) => `${method ?? ''} ${currency}`}
          empty="It is empty."
          columns={[
            { header: 'Method', cell: ({ method }) => method ?? 'Not sent' },
            { header: 'Count', align: 'right', cell: ({ count }) => count },
            {
              header: 'Total',
              align: 'right',
              cell: ({ total, currency }) => <Amount value={total} currency={currency} />,
            },
          ]}
        />
      </section>
    </div>
  );
}

interface EntryTableProps {
  readonly bundle: BundleDetails;
  readonly entries: readonly ContributionView[];
}

/** The entries of a bundle: gifts, and what takes them back or moves them. */
export function EntryTable({ bundle, entries }: EntryTableProps): VNode {
  const fundOf = new Map(bundle.byFund.map(({ fundId, fund }) => [fundId, fund]));
  const columns: readonly Column<ContributionView>[] = [
    {
      header: 'Entry',
      cell: ({ contributionId }) => <Link to={`/console/gifts/${contributionId}`}>{contributionId}</Link>,
    },
    { header: 'Day', cell: ({ day }) => <Day value={day} /> },
    {
      header: 'Giver',
      cell: ({ peopleId, giver }) => (
        <Link to={`/console/people/${peopleId}`}>
          {giver === null ? `Person ${peopleId}` : `${giver.first} ${giver.last}`}
        </Link>
      ),
    },
    { header: 'Fund', cell: ({ fundId }) => fundOf.get(fundId) },
    { header: 'What', cell: whatItIs },
    {
      header: 'Method',
      cell: ({ payment: { method, checkNumber } }) => [method, checkNumber].filter(Boolean).join(' '),
    },
    { header: 'Amount', align: 'right', cell: ({ amount, currency }) => <Amount value={amount} currency={currency} /> },
  ];
  return (
    <>
      <h2>Entries</h2>
      <Table
        caption="Entries of the bundle"
        rows={entries}
        keyOf={({ contributionId }) => contributionId}
        empty="It is empty."
        columns={columns}
      />
    </>
  );
}

function whatItIs({ reverses, moves, reinstates, status, contributionTypeId }: ContributionView): string {
  if (reverses !== null) return `Takes back ${reverses}`;
  if (moves !== null) return `Moves ${moves} to another fund`;
  if (reinstates !== null) return `Gives back what ${reinstates} took`;
  return status === 'Reversed' ? 'Taken back' : (TYPE_NAMES[contributionTypeId] ?? 'Gift');
}
