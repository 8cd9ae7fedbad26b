import type { VNode } from 'preact';
import { ExpectedError } from '../../../../http/index.js';
import {
  type Column,
  Day,
  Form,
  groupedCount,
  HiddenField,
  Link,
  RowTick,
  SubmitButton,
  WideTable,
  TickAllButton,
} from '../../../../pages/index.js';
import { type ClosingResult, tickName } from '../../../bundles/index.js';
import { describeTotals } from '../../../ledger/index.js';
import { OpenReviews } from '../../../reviews/index.js';
import type { OpenPaidBundle } from '../../settling/close-deposit-bundles.service.js';
import { DEPOSITS } from '../shared/deposit-words.js';
import { NAMED, othersInWords } from '../shared/differences.js';
import { counted } from '../shared/each-by-itself.js';

const FORM = 'closing';
const BUNDLES = '/console/bundles';

interface OpenBundlesProps {
  readonly open: readonly OpenPaidBundle[];
  /** The deposit whose bundles they are; undefined: any. */
  readonly of: number | undefined;
  /** How many gifts in those that can be closed have an open review. */
  readonly openReviews: number;
}

/** Asks whether to close bundles, each with its count and total, and lists those that stay open. */
export function OpenBundles({ open, of, openReviews }: OpenBundlesProps): VNode {
  const closable = open.filter(({ uncovered }) => uncovered === 0);
  const staying = open.filter(({ uncovered }) => uncovered > 0);
  return (
    <>
      {closable.length > 0 && (
        <div class="notice">
          <p>
            Everything in {closable.length === 1 ? 'this bundle' : 'these bundles'} is in reconciled deposits. Closed
            bundles can never change or be opened again. One that gets a gift before you confirm stays open, and the
            others are closed.
          </p>
          {openReviews > 0 && (
            <p>
              <OpenReviews count={openReviews} of={closable.length === 1 ? 'this bundle' : 'these bundles'} />
            </p>
          )}
        </div>
      )}
      <WideTable
        caption="Bundles to close"
        rows={closable}
        keyOf={({ bundle }) => bundle.bundleId}
        columns={[TICK_COLUMN, ...COLUMNS]}
        empty={
          of === undefined
            ? 'No bundle of reconciled deposits can be closed now.'
            : 'No bundle of this deposit can be closed now.'
        }
      />
      {closable.length > 0 && <ClosingForm of={of} />}
      <StayingOpen bundles={staying} />
      <p class="back">
        <Link to={of === undefined ? DEPOSITS : `${DEPOSITS}/${of}`}>
          {of === undefined ? 'Back to the deposits' : 'Back to the deposit'}
        </Link>
      </p>
    </>
  );
}

function ClosingForm({ of }: Pick<OpenBundlesProps, 'of'>): VNode {
  return (
    <Form id={FORM} to={`${DEPOSITS}/close-bundles`}>
      {of !== undefined && <HiddenField name="of" value={String(of)} />}
      <div class="buttons">
        <SubmitButton kind="danger" hotkey="y">
          Close the ticked bundles permanently
        </SubmitButton>
        <TickAllButton />
      </div>
    </Form>
  );
}

/** Bundles of which a part is not at the bank yet. */
function StayingOpen({ bundles }: { readonly bundles: readonly OpenPaidBundle[] }): VNode | null {
  if (bundles.length === 0) return null;
  return (
    <section aria-labelledby="staying">
      <h2 id="staying">They stay open</h2>
      <p>
        A payout often has only a part of the gifts of a day. They can be closed when all their entries are in
        reconciled deposits.
      </p>
      <WideTable
        caption="Bundles that stay open"
        rows={bundles}
        keyOf={({ bundle }) => bundle.bundleId}
        columns={[
          ...COLUMNS,
          {
            header: 'Not reconciled',
            align: 'right',
            cell: ({ uncovered }) => counted(uncovered, 'entry', 'entries'),
          },
          { header: 'Where they are', cell: (one) => <Places bundle={one} /> },
        ]}
        empty={null}
      />
    </section>
  );
}

/** Where the entries are that keep a bundle open: "2,000 in deposit 14, 1 in no deposit". */
function Places({ bundle: { uncovered, held } }: { readonly bundle: OpenPaidBundle }): VNode {
  const others = uncovered - held.reduce((sum, { count }) => sum + count, 0);
  const named = held.slice(0, NAMED);
  return (
    <span>
      {named.map(({ depositId, count }, index) => (
        <span key={depositId}>
          {index > 0 && ', '}
          {groupedCount(count)} in <Link to={`${DEPOSITS}/${depositId}`}>deposit {depositId}</Link>
        </span>
      ))}
      {othersInWords(held)}
      {others > 0 && `${held.length > 0 ? ', ' : ''}${groupedCount(others)} in no deposit`}
    </span>
  );
}

const TICK_COLUMN: Column<OpenPaidBundle> = {
  header: 'Tick',
  cell: ({ bundle }) => <BundleTick bundle={bundle} checked />,
};

function BundleTick({ bundle, checked }: Pick<OpenPaidBundle, 'bundle'> & { readonly checked: boolean }): VNode {
  const { bundleId, totals } = bundle;
  return (
    <RowTick
      form={FORM}
      name={tickName(bundleId)}
      value={describeTotals(totals)}
      label={`Bundle ${bundleId}`}
      checked={checked}
    />
  );
}

const COLUMNS: readonly Column<OpenPaidBundle>[] = [
  { header: 'Bundle', cell: ({ bundle: { bundleId } }) => <Link to={`${BUNDLES}/${bundleId}`}>{bundleId}</Link> },
  { header: 'Day', cell: ({ bundle }) => <Day value={bundle.day} /> },
  { header: 'Recorded by', cell: ({ bundle }) => bundle.user },
  { header: 'Kind', cell: ({ bundle }) => bundle.bundleType },
  { header: 'Contains', align: 'right', cell: ({ bundle }) => describeTotals(bundle.totals) },
];

interface ResultsProps {
  readonly ticked: readonly { readonly bundleId: number; readonly holds: string }[];
  readonly results: readonly ClosingResult[];
  /** The bundles that can be closed now. */
  readonly open: readonly OpenPaidBundle[];
  readonly of: number | undefined;
}

/** What became of each ticked bundle. Those that can still be closed are closed from here with what they hold now. */
export function ClosedBundles({ ticked, results, open, of }: ResultsProps): VNode {
  const rows = ticked.map(({ bundleId, holds }, index) => ({
    ...{ bundleId, holds, result: results[index] },
    now: open.find(({ bundle, uncovered }) => bundle.bundleId === bundleId && uncovered === 0),
  }));
  return (
    <>
      <p>Somebody else was faster with some of them. Compare these again before you close them.</p>
      <WideTable
        caption="Results"
        rows={rows}
        keyOf={({ bundleId }) => bundleId}
        empty={null}
        columns={[
          {
            header: 'Tick',
            cell: ({ now }) => now !== undefined && <BundleTick bundle={now.bundle} checked={false} />,
          },
          { header: 'Bundle', cell: ({ bundleId }) => <Link to={`${BUNDLES}/${bundleId}`}>{bundleId}</Link> },
          { header: 'You saw', align: 'right', cell: ({ holds }) => holds },
          { header: 'Result', cell: ({ result }) => (result instanceof ExpectedError ? result.message : 'Closed') },
        ]}
      />
      {rows.some(({ now }) => now !== undefined) && <ClosingForm of={of} />}
      <p class="back">
        <Link to={DEPOSITS}>All deposits</Link>
      </p>
    </>
  );
}
