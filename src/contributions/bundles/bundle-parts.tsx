import type { VNode } from 'preact';
import {
  Amount,
  type Column,
  Day,
  FilterForm,
  Form,
  type FormState,
  Link,
  RowTick,
  SelectField,
  SubmitButton,
  Table,
  TextField,
  TickAllButton,
} from '../../pages/index.js';
import { describeTotals, type Totals } from '../ledger/index.js';
import type { BundleView } from './bundle-view.js';
import type { KindOfBundle } from './bundles.service.js';
import { tickName } from './closing/ticked-bundles.js';

const BUNDLES = '/console/bundles';
const CLOSING = 'closing';

/** "Bundle 12 (Online of txt2give)" */
export function inWords({ bundleId, bundleType, user }: BundleView): string {
  return `Bundle ${bundleId} (${bundleType}, ${user})`;
}

/** The filter of the list. */
export function BundleFilterForm({
  types,
  state,
}: {
  readonly types: readonly KindOfBundle[];
  readonly state: FormState;
}): VNode {
  return (
    <FilterForm to={BUNDLES} state={state}>
      <SelectField
        name="status"
        label="Status"
        options={[
          ['', 'Open and closed'],
          ['Open', 'Open'],
          ['Closed', 'Closed'],
        ]}
      />
      <TextField name="from" label="From" type="date" />
      <TextField name="to" label="To" type="date" />
      <TextField name="user" label="Whose" maxLength={100} isSearch />
      <SelectField
        name="bundleTypeId"
        label="Kind"
        options={[['', 'All'], ...types.map(({ bundleTypeId, name }) => [String(bundleTypeId), name] as const)]}
      />
      <SubmitButton>Filter</SubmitButton>
    </FilterForm>
  );
}

interface BundleTableProps {
  readonly bundles: readonly BundleView[];
  readonly mayClose: boolean;
  readonly isFiltered: boolean;
}

/** Bundles; Finance can tick the open ones, and close them together. */
export function BundleTable({ bundles, mayClose, isFiltered }: BundleTableProps): VNode {
  const isClosable = mayClose && bundles.some(({ status }) => status === 'Open');
  return (
    <>
      <Table
        caption="Bundles"
        rows={bundles}
        keyOf={({ bundleId }) => bundleId}
        empty={
          isFiltered
            ? 'No bundle is like that. Change the filter to see others.'
            : 'There is no bundle yet. The first gift of each day, processor and kind opens one.'
        }
        columns={isClosable ? [TICK, ...COLUMNS] : COLUMNS}
      />
      {isClosable && (
        <Form id={CLOSING} to={`${BUNDLES}/close`}>
          <div class="buttons">
            <SubmitButton hotkey="c">Close the ticked bundles…</SubmitButton>
            <TickAllButton />
          </div>
        </Form>
      )}
      <details>
        <summary>What is a bundle?</summary>
        <p>
          A bundle holds the gifts of one kind that one processor or person recorded on one day, as they reach the bank
          together. Close it when its count and total agree with the bank: then it can never change.
        </p>
      </details>
    </>
  );
}

const TICK: Column<BundleView> = {
  header: 'Tick',
  cell: (bundle) => bundle.status === 'Open' && <BundleTick bundle={bundle} />,
};

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

const COLUMNS: readonly Column<BundleView>[] = [
  { header: 'Bundle', cell: ({ bundleId }) => <Link to={`${BUNDLES}/${bundleId}`}>{bundleId}</Link> },
  { header: 'Day', cell: ({ day }) => <Day value={day} /> },
  { header: 'Whose', cell: ({ user }) => user },
  { header: 'Kind', cell: ({ bundleType }) => bundleType },
  { header: 'Count', align: 'right', cell: ({ totals }) => <Counts totals={totals} /> },
  { header: 'Total', align: 'right', cell: ({ totals }) => <Sums totals={totals} /> },
  { header: 'Status', cell: ({ status }) => status },
];

function Counts({ totals }: { readonly totals: readonly Totals[] }): VNode {
  const pledges = totals.reduce((sum, { pledgeCount }) => sum + pledgeCount, 0);
  return (
    <>
      {totals.reduce((sum, { count }) => sum + count, 0)}
      {pledges > 0 && <small class="aside">and {pledges === 1 ? '1 pledge' : `${pledges} pledges`}</small>}
    </>
  );
}

/** The sum of each currency, usually one, and what was only promised. An empty bundle holds nothing. */
function Sums({ totals }: { readonly totals: readonly Totals[] }): VNode {
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
          {count} {count === 1 ? 'entry' : 'entries'} of <Amount value={total} currency={currency} />
          {pledgeCount > 0 && (
            <>
              {' '}
              and {pledgeCount} {pledgeCount === 1 ? 'pledge' : 'pledges'} of{' '}
              <Amount value={pledgeTotal} currency={currency} />
            </>
          )}
        </span>
      ))}
    </strong>
  );
}
