import type { ComponentChildren, VNode } from 'preact';
import { Amount, groupedCount, RowTick } from '../../pages/index.js';
import { describeTotals, type Totals } from '../ledger/index.js';
import type { BundleView } from './bundle-view.js';
import { tickName } from './closing/ticked-bundles.js';

/** The id of the form that closes the ticked bundles. */
export const CLOSING = 'closing';

/** Ticks an open bundle with what it holds now. */
export function BundleTick({
  bundle,
  checked = false,
}: {
  readonly bundle: BundleView;
  readonly checked?: boolean;
}): VNode {
  const { bundleId, totals } = bundle;
  return (
    <RowTick
      form={CLOSING}
      name={tickName(bundleId)}
      value={describeTotals(totals)}
      label={`Bundle ${bundleId}`}
      checked={checked}
    />
  );
}

/** What somebody should know before the bundle is closed: a sentence each. */
export function RemarksOfBundle({ remarks }: { readonly remarks: readonly ComponentChildren[] }): VNode | null {
  if (remarks.length === 0) return null;
  return (
    <div class="notice">
      {remarks.map((remark, index) => (
        <p key={String(index)}>{remark}</p>
      ))}
    </div>
  );
}

/** How many entries there are, in all currencies, and how many pledges. */
export function Counts({ totals }: { readonly totals: readonly Totals[] }): VNode {
  const pledges = totals.reduce((sum, { pledgeCount }) => sum + pledgeCount, 0);
  return (
    <>
      {groupedCount(totals.reduce((sum, { count }) => sum + count, 0))}
      {pledges > 0 && <small class="aside">and {pledges === 1 ? '1 pledge' : `${pledges} pledges`}</small>}
    </>
  );
}

/** The sum of each currency, usually one, and what was only promised. An empty bundle holds nothing. */
export function Sums({ totals }: { readonly totals: readonly Totals[] }): VNode {
  return (
    <>
      {totals.map(({ currency, total, pledgeCount, pledgeTotal }, index) => (
        <span key={currency}>
          {index > 0 && ', '}
          <Amount value={total} currency={currency} />
          {pledgeCount > 0 && (
            <small class="aside">
              pledged <Amount value={pledgeTotal} currency={currency} />
            </small>
          )}
        </span>
      ))}
    </>
  );
}

/** "12 entries, 480.50, and 1 pledge of 100.00" */
export function TotalsInWords({ totals }: { readonly totals: readonly Totals[] }): VNode {
  if (totals.length === 0) return <strong>nothing</strong>;
  return (
    <strong>
      {totals.map(({ currency, count, total, pledgeCount, pledgeTotal }, index) => (
        <span key={currency}>
          {index > 0 && '; '}
          {groupedCount(count)} {count === 1 ? 'entry' : 'entries'} of <Amount value={total} currency={currency} />
          {pledgeCount > 0 && (
            <>
              {' '}
              and {groupedCount(pledgeCount)} {pledgeCount === 1 ? 'pledge' : 'pledges'} of{' '}
              <Amount value={pledgeTotal} currency={currency} />
            </>
          )}
        </span>
      ))}
    </strong>
  );
}
