import type { VNode } from 'preact';
import {
  Amount,
  CellField,
  type Column,
  Day,
  EnterButton,
  Form,
  type FormState,
  HiddenField,
  Link,
  RowTick,
  SubmitButton,
  WideTable,
} from '../../../../pages/index.js';
import type { DepositView } from '../../deposit-view.js';
import { DepositLink, DEPOSITS } from '../shared/deposit-words.js';
import { isDifference } from '../shared/differences.js';
import { PasteLines } from './paste-parts.js';
import { AMOUNT, DATE, differenceOf, fieldAmount, REFERENCE, SAME, WAS, wasText } from './statement-rows.js';

const FORM = 'statement';

interface StatementProps {
  readonly deposits: readonly DepositView[];
  readonly state: FormState;
  /** The last deposit of the page before. */
  readonly after: number | undefined;
}

/** A row for each deposit that is not reconciled, in which to enter the line of the bank's statement. */
export function Statement({ deposits, state, after }: StatementProps): VNode {
  return (
    <Form id={FORM} to={`${DEPOSITS}/statement`} state={state}>
      <EnterButton />
      {deposits.length > 0 && <PasteLines />}
      {after !== undefined && <HiddenField name="after" value={String(after)} />}
      <WideTable
        caption="Deposits that are not reconciled, the earliest first"
        rows={deposits}
        isMarked={(deposit) => isDifference(shownDifference(deposit, state))}
        keyOf={({ id }) => id}
        columns={[...NAME_COLUMNS, ...columnsOf(state)]}
        empty="No deposit waits for the bank statement."
      />
      {deposits.length > 0 && (
        <div class="buttons">
          <SubmitButton hotkey="s">Save what was entered</SubmitButton>
          <Link to={DEPOSITS}>Back to the deposits</Link>
        </div>
      )}
    </Form>
  );
}

/** Narrow, to leave room for the fields. */
const NAME_COLUMNS: readonly Column<DepositView>[] = [
  { header: 'Deposit', cell: ({ id }) => <DepositLink id={id} /> },
  { header: 'Day', cell: ({ date }) => <Day value={date} /> },
  {
    header: 'Payout',
    cell: ({ depositId, source }) => (
      <span>
        {depositId}
        <small class="aside">{source}</small>
      </span>
    ),
  },
];

function columnsOf(state: FormState): readonly Column<DepositView>[] {
  return [
    {
      header: 'Expected',
      align: 'right',
      cell: ({ expected, currency }) => <Amount value={expected} currency={currency} />,
    },
    {
      header: 'As expected',
      cell: (deposit) => <AsExpected deposit={deposit} state={state} />,
    },
    { header: 'Bank’s amount', align: 'right', cell: (deposit) => <AmountCell deposit={deposit} /> },
    {
      header: 'Bank’s day',
      cell: ({ id, bankDate, date }) => (
        <CellField name={`${DATE}${id}`} label={`Bank’s day of deposit ${id}`} type="date" value={bankDate ?? date} />
      ),
    },
    {
      header: 'Reference',
      cell: ({ id, bankReference }) => (
        <CellField
          name={`${REFERENCE}${id}`}
          label={`Reference of deposit ${id}`}
          value={bankReference ?? ''}
          maxLength={100}
        />
      ),
    },
  ];
}

/** By how much the amount in a row differs from what is expected; undefined if there is none, or a tick in its place. */
function shownDifference(deposit: DepositView, { typed }: FormState): string | undefined {
  const { id, bankAmount } = deposit;
  if (typed[`${SAME}${id}`] !== undefined) return undefined;
  return differenceOf(deposit, typed[`${AMOUNT}${id}`] ?? bankAmount ?? '');
}

/** Whether the amount in a row is as expected; without an amount, a box that says that it is. */
function AsExpected({ deposit, state }: { readonly deposit: DepositView; readonly state: FormState }): VNode | null {
  const { id, bankAmount, currency } = deposit;
  const difference = shownDifference(deposit, state);
  if (difference === undefined) {
    // What was entered already is changed by typing.
    if (bankAmount !== null) return null;
    return <SameTick deposit={deposit} checked={state.typed[`${SAME}${id}`] !== undefined} />;
  }
  if (!isDifference(difference)) return <span class="compared agrees">✓ yes</span>;
  return (
    <span class="compared">
      no, <Amount value={difference} currency={currency} />
    </span>
  );
}

function SameTick({ deposit, checked }: { readonly deposit: DepositView; readonly checked: boolean }): VNode {
  const { id, expected } = deposit;
  return (
    <RowTick
      form={FORM}
      name={`${SAME}${id}`}
      value={expected}
      label={`The bank has as much as expected of deposit ${id}`}
      checked={checked}
    />
  );
}

function AmountCell({ deposit }: { readonly deposit: DepositView }): VNode {
  const { id, bankAmount } = deposit;
  return (
    <>
      <HiddenField name={`${WAS}${id}`} value={wasText(deposit)} />
      <CellField
        name={`${AMOUNT}${id}`}
        label={`Bank’s amount of deposit ${id}`}
        value={bankAmount === null ? '' : fieldAmount(bankAmount)}
        inputMode="decimal"
      />
    </>
  );
}

/** How to fill in the statement. */
export function StatementHelp(): VNode {
  return (
    <details>
      <summary>How does this work?</summary>
      <p>
        Look for each deposit on your bank statement. If the bank has exactly the expected amount, tick “as expected”:
        the key x ticks the row with the focus, and j goes to the next. Otherwise type the amount that the bank has,
        with a minus if it paid. Or paste lines of the statement, and the rows are filled in. The bank’s day is that of
        the payout until you change it. Rows in which you enter nothing stay as they are.
      </p>
    </details>
  );
}
