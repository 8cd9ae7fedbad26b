import type { ComponentChildren, VNode } from 'preact';
import { type Column, Confirmation, Day, Form, HiddenField, Link, SubmitButton, Table } from '../../../pages/index.js';
import { ExpectedError } from '../../../http/index.js';
import { describeTotals } from '../../ledger/index.js';
import { BundleTick, CLOSING, TotalsInWords } from '../bundle-parts.js';
import type { Remarks } from '../bundle-remarks.service.js';
import type { BundleView } from '../bundle-view.js';
import type { ClosingResult } from './close-bundles.service.js';
import { LIST_FIELD } from '../shown-bundles.js';
import { sumOf } from './closed-in-words.js';
import { isHolding, type TickedBundle, tickName } from './ticked-bundles.js';

const BUNDLES = '/console/bundles';

interface TickedProps {
  readonly ticked: readonly TickedBundle[];
  /** The ticked bundles as they are now. */
  readonly bundles: readonly BundleView[];
  /** The list in which they were ticked. */
  readonly list: string;
}

interface ClosingProps extends TickedProps {
  readonly remarks: Remarks;
}

interface TickedRow extends TickedBundle {
  readonly bundle: BundleView | undefined;
}

const BUNDLE_COLUMNS: readonly Column<TickedRow>[] = [
  { header: 'Bundle', cell: ({ bundleId }) => <Link to={`${BUNDLES}/${bundleId}`}>{bundleId}</Link> },
  { header: 'Day', cell: ({ bundle }) => bundle && <Day value={bundle.day} /> },
  { header: 'Recorded by', cell: ({ bundle }) => bundle?.user },
  { header: 'Kind', cell: ({ bundle }) => bundle?.bundleType },
];

function rowsOf({ ticked, bundles }: Omit<TickedProps, 'list'>): readonly TickedRow[] {
  return ticked.map((one) => ({ ...one, bundle: bundles.find(({ bundleId }) => bundleId === one.bundleId) }));
}

/** Whether it would be closed now: it is open, and holds what was seen in the list. */
function isAsSeen({ bundle, holds }: TickedRow): boolean {
  return bundle?.status === 'Open' && isHolding(holds)(bundle.totals);
}

/** Asks whether to close the ticked bundles, each with day, kind, count and total, and all with their grand total. */
export function TickedBundles({ ticked, bundles, list, remarks }: ClosingProps): VNode {
  const rows = rowsOf({ ticked, bundles }).map((row) => ({ ...row, remarks: remarks.get(row.bundleId) ?? [] }));
  const hasRemarks = rows.some((row) => row.remarks.length > 0);
  const what = ticked.length === 1 ? '1 bundle' : `${ticked.length} bundles`;
  const held = rows.filter(isAsSeen).flatMap(({ bundle }) => bundle?.totals ?? []);
  return (
    <Confirmation
      to={`${BUNDLES}/close`}
      fields={{
        ...Object.fromEntries(ticked.map(({ bundleId, holds }) => [tickName(bundleId), holds])),
        ...{ confirmed: 'true', [LIST_FIELD]: list },
      }}
      button={`Close ${what} permanently`}
      back={list}
    >
      <p>
        Closed bundles can never change or be opened again. One that gets a gift before you confirm stays open, and the
        others are closed.
      </p>
      <Table
        caption="Bundles to close"
        rows={rows}
        keyOf={({ bundleId }) => bundleId}
        empty={null}
        columns={[
          ...BUNDLE_COLUMNS,
          { header: 'Contains', align: 'right', cell: (row) => <Contents row={row} /> },
          ...(hasRemarks ? [REMARKS] : []),
        ]}
        isMarked={({ remarks }) => remarks.length > 0}
        totals={{ Bundle: 'Together', Contains: <TotalsInWords totals={sumOf(held)} /> }}
      />
    </Confirmation>
  );
}

const REMARKS: Column<{ readonly remarks: readonly ComponentChildren[] }> = {
  header: 'Please note',
  cell: ({ remarks }) => <Lines of={remarks} />,
};

function Lines({ of }: { readonly of: readonly ComponentChildren[] }): VNode {
  return (
    <span>
      {of.map((line, index) => (
        <span key={String(index)}>
          {index > 0 && <br />}
          {line}
        </span>
      ))}
    </span>
  );
}

/** What the list said of a bundle, and what has become of it since. */
function Contents({ row }: { readonly row: TickedRow }): VNode {
  const { holds, bundle } = row;
  const since = bundle?.status === 'Closed' ? 'closed meanwhile' : `now ${describeTotals(bundle?.totals ?? [])}`;
  return (
    <span>
      {holds}
      {!isAsSeen(row) && <small class="aside negative">{since}, not counted below</small>}
    </span>
  );
}

interface ClosingResultsProps extends TickedProps {
  readonly results: readonly ClosingResult[];
}

/** What became of each ticked bundle. Those that stay open can be closed from here with what they hold now. */
export function ClosingResults({ ticked, results, bundles, list }: ClosingResultsProps): VNode {
  const rows = rowsOf({ ticked, bundles }).map((row, index) => ({ ...row, result: results[index] }));
  return (
    <>
      <p>Somebody else was faster with some of them. They stay ticked: compare them again before you close them.</p>
      <Table
        caption="Results"
        rows={rows}
        keyOf={({ bundleId }) => bundleId}
        empty={null}
        columns={[
          {
            header: 'Tick',
            cell: ({ bundle }) => bundle?.status === 'Open' && <BundleTick bundle={bundle} checked />,
          },
          ...BUNDLE_COLUMNS,
          { header: 'You saw', align: 'right', cell: ({ holds }) => holds },
          { header: 'Result', cell: ({ result }) => (result instanceof ExpectedError ? result.message : 'Closed') },
        ]}
      />
      <Form id={CLOSING} to={`${BUNDLES}/close`}>
        <HiddenField name={LIST_FIELD} value={list} />
        <div class="buttons">
          <SubmitButton hotkey="c">Close the ticked bundles…</SubmitButton>
          <Link to={list}>Back to the list</Link>
        </div>
      </Form>
    </>
  );
}
