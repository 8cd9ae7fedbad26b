import type { VNode } from 'preact';
import { Amount, type Column, Day, groupedCount, Link, Moment, WideTable } from '../../../../pages/index.js';
import type { DepositBundle, DepositDetails, ReversalSince } from '../../showing/deposit-details.js';
import { DepositLink } from '../shared/deposit-words.js';

interface ListProps {
  readonly deposit: DepositDetails;
}

/** What was added to the expected amount or taken from it, with the reasons. */
export function Adjustments({ deposit: { adjustments, currency } }: ListProps): VNode | null {
  if (adjustments.length === 0) return null;
  return (
    <section aria-labelledby="adjustments">
      <h2 id="adjustments">Adjustments</h2>
      <WideTable
        caption="Adjustments"
        rows={adjustments}
        keyOf={({ adjustmentId }) => adjustmentId}
        empty={null}
        columns={[
          { header: 'When', cell: ({ at }) => <Moment value={new Date(at)} /> },
          { header: 'Who', cell: ({ by }) => by },
          { header: 'Why', cell: ({ reason }) => reason },
          { header: 'Amount', align: 'right', cell: ({ amount }) => <Amount value={amount} currency={currency} /> },
        ]}
      />
    </section>
  );
}

/** Reversals of its gifts that it does not have. */
export function ReversedSince({ deposit: { reversedSince, currency } }: ListProps): VNode | null {
  if (reversedSince.length === 0) return null;
  const columns: readonly Column<ReversalSince>[] = [
    { header: 'Gift', cell: ({ paymentId }) => <Link to={`/console/gifts/${paymentId}`}>{paymentId}</Link> },
    { header: 'Day', cell: ({ day }) => <Day value={day} /> },
    { header: 'Why', cell: ({ reason }) => reason },
    {
      header: 'In deposit',
      cell: ({ inDeposit }) => (inDeposit === null ? 'none yet' : <DepositLink id={inDeposit} />),
    },
    { header: 'Taken back', align: 'right', cell: ({ amount }) => <Amount value={amount} currency={currency} /> },
  ];
  return (
    <section aria-labelledby="since">
      <h2 id="since">Taken back, and not in this deposit</h2>
      <p>The processor usually subtracts it from a later payout.</p>
      <WideTable
        caption="Reversals that are not in this deposit"
        rows={reversedSince}
        keyOf={({ reversalId }) => reversalId}
        columns={columns}
        empty={null}
      />
    </section>
  );
}

/** The bundles of its gifts. */
export function DepositBundles({ deposit: { bundles, currency } }: ListProps): VNode | null {
  if (bundles.length === 0) return null;
  const columns: readonly Column<DepositBundle>[] = [
    { header: 'Bundle', cell: ({ bundleId }) => <Link to={`/console/bundles/${bundleId}`}>{bundleId}</Link> },
    { header: 'Day', cell: ({ day }) => <Day value={day} /> },
    { header: 'Recorded by', cell: ({ user }) => user },
    { header: 'Kind', cell: ({ bundleType }) => bundleType },
    { header: 'Entries of this deposit', align: 'right', cell: ({ count }) => groupedCount(count) },
    { header: 'Total', align: 'right', cell: ({ total }) => <Amount value={total} currency={currency} /> },
    {
      header: 'Not reconciled',
      align: 'right',
      cell: ({ uncovered }) => (uncovered === 0 ? null : groupedCount(uncovered)),
    },
    { header: 'Status', cell: ({ status }) => status },
  ];
  return (
    <section aria-labelledby="bundles">
      <h2 id="bundles">Bundles</h2>
      <WideTable
        caption="Bundles of its gifts"
        rows={bundles}
        keyOf={({ bundleId }) => bundleId}
        columns={columns}
        empty={null}
      />
    </section>
  );
}
