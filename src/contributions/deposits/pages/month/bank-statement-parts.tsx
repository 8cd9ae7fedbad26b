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
import { PasteLines } from './paste-parts.js';
import { AMOUNT, DATE, REFERENCE, SAME, WAS, wasText } from './statement-rows.js';

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
        caption="Deposits that are not reconciled, those made first first"
        rows={deposits}
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

function columnsOf({ typed }: FormState): readonly Column<DepositView>[] {
  return [
    {
      header: 'Expected',
      align: 'right',
      cell: ({ expected, currency }) => <Amount value={expected} currency={currency} />,
    },
    {
      header: 'As expected',
      cell: (deposit) => <SameTick deposit={deposit} checked={typed[`${SAME}${deposit.id}`] !== undefined} />,
    },
    { header: 'Bank’s amount', cell: (deposit) => <AmountCell deposit={deposit} /> },
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

/** Says that the bank has what is expected now. What was entered already is changed by typing. */
function SameTick({ deposit, checked }: { readonly deposit: DepositView; readonly checked: boolean }): VNode | null {
  const { id, expected, bankAmount } = deposit;
  if (bankAmount !== null) return null;
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
        value={bankAmount ?? ''}
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
