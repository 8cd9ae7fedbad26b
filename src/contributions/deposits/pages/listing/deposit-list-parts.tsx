import type { VNode } from 'preact';
import {
  Amount,
  type Column,
  FilterForm,
  type FormState,
  groupedCount,
  Link,
  SelectField,
  SubmitButton,
  WideTable,
  TextField,
} from '../../../../pages/index.js';
import type { DepositView } from '../../deposit-view.js';
import { AtBank, DEPOSIT_COLUMNS, DEPOSITS, DepositStatus, Difference } from '../shared/deposit-words.js';

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
  { header: 'Items', align: 'right', cell: ({ itemCount }) => groupedCount(itemCount) },
  {
    header: 'Expected',
    align: 'right',
    cell: ({ expected, currency }) => <Amount value={expected} currency={currency} />,
  },
  { header: 'At the bank', align: 'right', cell: (deposit) => <AtBank deposit={deposit} /> },
  { header: 'Difference', align: 'right', cell: (deposit) => <Difference deposit={deposit} /> },
  { header: 'Status', cell: ({ status }) => <DepositStatus status={status} /> },
];

interface ActionsProps {
  /** Deposits that are not reconciled. */
  readonly toCompare: readonly DepositView[];
  /** Whether deposits of payouts are to be made first, by the button on the page. */
  readonly hasPayouts: boolean;
}

/** A step of the work with deposits. */
interface Step {
  readonly to: string;
  readonly hotkey: string;
  readonly label: string;
  /** Whether a deposit waits for it; without it, the step is never the next one. */
  readonly waits?: (deposit: DepositView) => boolean;
}

/** In their order. */
const STEPS: readonly Step[] = [
  {
    to: `${DEPOSITS}/statement`,
    hotkey: 'e',
    label: 'Enter the bank statement',
    waits: ({ bankAmount }) => bankAmount === null,
  },
  { to: `${DEPOSITS}/reconcile`, hotkey: 'r', label: 'Reconcile…', waits: ({ status }) => status === 'Matches' },
  { to: `${DEPOSITS}/close-bundles`, hotkey: 'c', label: 'Close bundles…' },
  { to: `${DEPOSITS}/new`, hotkey: 'd', label: 'Add a deposit' },
];

/** The steps of the work with deposits, in their order. The next one is the main button. */
export function DepositActions({ toCompare, hasPayouts }: ActionsProps): VNode {
  // Without a deposit that is not reconciled, the pages of these steps are empty.
  const steps = STEPS.filter(({ waits }) => waits === undefined || toCompare.length > 0);
  const next = steps.find(({ waits }) => waits !== undefined && toCompare.some(waits));
  return (
    <>
      {steps.map((step) => (
        <Link key={step.to} to={step.to} button={step === next && !hasPayouts ? 'primary' : true} hotkey={step.hotkey}>
          {step.label}
        </Link>
      ))}
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
