import type { VNode } from 'preact';
import {
  Amount,
  type Column,
  FilterForm,
  type FormState,
  Link,
  SelectField,
  SubmitButton,
  WideTable,
  TextField,
} from '../../../../pages/index.js';
import type { DepositView } from '../../deposit-view.js';
import { AtBank, DEPOSIT_COLUMNS, DEPOSITS, Difference } from '../shared/deposit-words.js';

/** The filter of the list. */
export function DepositFilterForm({ state }: { readonly state: FormState }): VNode {
  return (
    <FilterForm to={DEPOSITS} state={state}>
      <SelectField
        name="status"
        label="Status"
        options={[
          ['', 'All'],
          ['Open', 'Open'],
          ['Differs', 'Differs'],
          ['Matches', 'Matches'],
          ['Reconciled', 'Reconciled'],
        ]}
      />
      <TextField name="source" label="Source" maxLength={100} isSearch />
      <TextField name="from" label="From" type="date" />
      <TextField name="to" label="To" type="date" />
      <SubmitButton>Filter</SubmitButton>
    </FilterForm>
  );
}

interface DepositTableProps {
  readonly deposits: readonly DepositView[];
  readonly isFiltered: boolean;
}

/** Deposits, with what should be at the bank and what is. */
export function DepositTable({ deposits, isFiltered }: DepositTableProps): VNode {
  return (
    <section aria-labelledby="deposits">
      <h2 id="deposits">Deposits</h2>
      <WideTable
        caption="Deposits, those made last first"
        rows={deposits}
        keyOf={({ id }) => id}
        columns={[...DEPOSIT_COLUMNS, ...COLUMNS]}
        empty={
          isFiltered
            ? 'No deposit is like that. Change the filter to see others.'
            : 'There is no deposit yet. A processor sends its deposits, or you make them of its payouts.'
        }
      />
    </section>
  );
}

const COLUMNS: readonly Column<DepositView>[] = [
  { header: 'Items', align: 'right', cell: ({ itemCount }) => itemCount },
  {
    header: 'Expected',
    align: 'right',
    cell: ({ expected, currency }) => <Amount value={expected} currency={currency} />,
  },
  { header: 'At the bank', align: 'right', cell: (deposit) => <AtBank deposit={deposit} /> },
  { header: 'Difference', align: 'right', cell: (deposit) => <Difference deposit={deposit} /> },
  { header: 'Status', cell: ({ status }) => status },
];

/** The steps of the work with deposits, which lead on from each other. */
export function DepositActions(): VNode {
  return (
    <>
      <Link to={`${DEPOSITS}/statement`} button hotkey="e">
        Enter the bank statement
      </Link>
      <Link to={`${DEPOSITS}/reconcile`} button hotkey="r">
        Reconcile…
      </Link>
      <Link to={`${DEPOSITS}/close-bundles`} button hotkey="c">
        Close bundles…
      </Link>
      <Link to={`${DEPOSITS}/new`} button hotkey="d">
        Add a deposit
      </Link>
    </>
  );
}

/** What the words of the list mean, and how the work goes. */
export function DepositHelp(): VNode {
  return (
    <details>
      <summary>What is a deposit?</summary>
      <p>
        A processor pays out many gifts at once, without its fees and without what it took back. That is a deposit: one
        line of your bank statement. First make the deposits of new payouts. Then enter what the bank says. Those that
        match are reconciled, and never change again. Last, close their bundles.
      </p>
      <p>
        Open: nothing to compare with yet. Differs: the bank has more or less than expected, or items are not in the
        books. Matches: ready to be reconciled.
      </p>
    </details>
  );
}
