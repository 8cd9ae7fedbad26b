import type { VNode } from 'preact';
import {
  type Column,
  Day,
  FilterForm,
  Form,
  type FormState,
  HiddenField,
  Link,
  ListCount,
  MonthLinks,
  Pagination,
  SelectField,
  type ShownRows,
  SubmitButton,
  Table,
  TextField,
  TickAllButton,
} from '../../pages/index.js';
import { BundleTick, CLOSING, Counts, Sums } from './bundle-parts.js';
import { BUNDLES_PER_LIST, type BundleView } from './bundle-view.js';
import type { Bundles, KindOfBundle } from './bundles.service.js';
import { LIST_FIELD, listPath, SHOWN_STATUSES, type shownFilter } from './shown-bundles.js';

const BUNDLES = '/console/bundles';

interface BundleListProps {
  readonly filter: ReturnType<typeof shownFilter>;
  readonly state: FormState;
  readonly types: readonly KindOfBundle[];
  readonly bundles: readonly BundleView[];
  readonly rows: ShownRows;
  readonly count: Awaited<ReturnType<Bundles['count']>>;
  readonly isLater: boolean;
  readonly mayClose: boolean;
}

/** The list of bundles with its filter. Finance can tick the open ones, and close them together. */
export function BundleList(props: BundleListProps): VNode {
  const { filter, state, types, bundles, rows, count, isLater, mayClose } = props;
  const isClosable = mayClose && bundles.some(({ status }) => status === 'Open');
  const hasMore = bundles.length === BUNDLES_PER_LIST;
  return (
    <>
      <BundleFilterForm types={types} state={state} />
      <div class="list-head">
        <OtherBundles filter={filter} />
        {(hasMore || isLater || filter.from !== '') && <MonthLinks to={BUNDLES} query={filter} />}
        <ListCount {...rows} count={count} of={wordsFor(filter.status)} />
      </div>
      <Table
        caption="Bundles, the newest first"
        rows={bundles}
        keyOf={({ bundleId }) => bundleId}
        empty={<NoBundles filter={filter} />}
        columns={[...(isClosable ? [TICK] : []), ...COLUMNS, ...(filter.status === 'Open' ? [] : [STATUS])]}
      />
      {isClosable && <CloseTicked filter={filter} />}
      <Pagination
        to={BUNDLES}
        query={filter}
        next={hasMore ? { before: bundles.at(-1)?.bundleId ?? 0 } : undefined}
        isLater={isLater}
        rows={rows}
      />
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

function wordsFor(status: string): readonly [one: string, several: string] {
  const adjective = status === SHOWN_STATUSES.all ? '' : `${status.toLowerCase()} `;
  return [`${adjective}bundle`, `${adjective}bundles`];
}

type FilterProps = Pick<BundleListProps, 'filter'>;

function CloseTicked({ filter }: FilterProps): VNode {
  return (
    <Form id={CLOSING} to={`${BUNDLES}/close`}>
      <HiddenField name={LIST_FIELD} value={listPath(filter)} />
      <div class="buttons">
        <SubmitButton hotkey="c">Close the ticked bundles…</SubmitButton>
        <TickAllButton />
      </div>
    </Form>
  );
}

function NoBundles({ filter: { status, ...others } }: FilterProps): VNode {
  if (Object.values(others).some((value) => value !== '')) {
    return <>No bundle is like that. Change the filter to see others.</>;
  }
  if (status === 'Closed') return <>No bundle is closed yet.</>;
  return <>No bundle is open. The first gift of each day, processor and kind opens one.</>;
}

/** The way from open bundles to the closed ones, and back. */
function OtherBundles({ filter }: FilterProps): VNode {
  const status = filter.status === 'Open' ? 'Closed' : 'Open';
  return <Link to={listPath({ ...filter, status })}>{status === 'Closed' ? 'Closed bundles' : 'Open bundles'}</Link>;
}

/** The filter of the list. */
function BundleFilterForm({ types, state }: Pick<BundleListProps, 'types' | 'state'>): VNode {
  return (
    <FilterForm to={BUNDLES} state={state}>
      <SelectField
        name="status"
        label="Status"
        options={[
          ['Open', 'Open'],
          ['Closed', 'Closed'],
          [SHOWN_STATUSES.all, 'Open and closed'],
        ]}
      />
      <TextField name="from" label="From" type="date" />
      <TextField name="to" label="To" type="date" />
      <TextField name="user" label="Recorded by" maxLength={100} isSearch />
      <SelectField
        name="bundleTypeId"
        label="Kind"
        options={[['', 'All'], ...types.map(({ bundleTypeId, name }) => [String(bundleTypeId), name] as const)]}
      />
      <SubmitButton>Filter</SubmitButton>
    </FilterForm>
  );
}

const TICK: Column<BundleView> = {
  header: 'Tick',
  cell: (bundle) => bundle.status === 'Open' && <BundleTick bundle={bundle} />,
};

const COLUMNS: readonly Column<BundleView>[] = [
  { header: 'Bundle', cell: ({ bundleId }) => <Link to={`${BUNDLES}/${bundleId}`}>{bundleId}</Link> },
  { header: 'Day', cell: ({ day }) => <Day value={day} /> },
  { header: 'Recorded by', cell: ({ user }) => user },
  { header: 'Kind', cell: ({ bundleType }) => bundleType },
  { header: 'Count', align: 'right', cell: ({ totals }) => <Counts totals={totals} /> },
  { header: 'Total', align: 'right', cell: ({ totals }) => <Sums totals={totals} /> },
];

/** Not in a list of which all are open. */
const STATUS: Column<BundleView> = { header: 'Status', cell: ({ status }) => status };
