import type { VNode } from 'preact';
import { Amount, type Column, Day, Link } from '../../../../pages/index.js';
import type { DepositView } from '../../deposit-view.js';
import { isDifference, NAMED, othersInWords } from './differences.js';

/** The path of the list of deposits. */
export const DEPOSITS = '/console/deposits';

/** The id of the payouts without a deposit on that page, with the button that makes their deposits. */
export const PAYOUTS = 'payouts';

/** "Deposit 7", as a link. */
export function DepositLink({ id }: Pick<DepositView, 'id'>): VNode {
  return <Link to={`${DEPOSITS}/${id}`}>{id}</Link>;
}

/** "deposit 14, deposit 15 and 2 others", with links. */
export function DepositNames({ ids }: { readonly ids: readonly number[] }): VNode {
  return (
    <>
      {ids.slice(0, NAMED).map((id, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <Link to={`${DEPOSITS}/${id}`}>deposit {id}</Link>
        </span>
      ))}
      {othersInWords(ids)}
    </>
  );
}

/** An amount that may be unknown. */
export function AmountIfAny({
  value,
  currency,
}: {
  readonly value: string | null;
  readonly currency: string;
}): VNode | null {
  return value === null ? null : <Amount value={value} currency={currency} />;
}

interface DepositProps {
  readonly deposit: DepositView;
}

/** Its status. One that differs needs somebody, and one that agrees has a sign. */
export function DepositStatus({ status }: Pick<DepositView, 'status'>): VNode {
  if (status === 'Differs') return <strong class="negative">Differs</strong>;
  if (status === 'Open') return <span>Open</span>;
  return (
    <span class="agrees">
      {status} <span aria-hidden="true">✓</span>
    </span>
  );
}

/** The difference, unless it is zero or unknown. */
export function Difference({ deposit: { difference, currency } }: DepositProps): VNode | null {
  return isDifference(difference) ? <Amount value={difference} currency={currency} /> : null;
}

/** Of which payout a deposit is. */
export const DEPOSIT_COLUMNS: readonly Column<DepositView>[] = [
  { header: 'Deposit', cell: ({ id }) => <DepositLink id={id} /> },
  { header: 'Day', cell: ({ date }) => <Day value={date} /> },
  { header: 'Source', cell: ({ source }) => source },
  { header: 'Payout', cell: ({ depositId }) => depositId },
];

/** What should be at the bank, from what was paid. */
export const FIGURE_COLUMNS: readonly Column<DepositView>[] = [
  { header: 'Gross', align: 'right', cell: ({ gross, currency }) => <Amount value={gross} currency={currency} /> },
  { header: 'Fees', align: 'right', cell: ({ fees, currency }) => <Amount value={fees} currency={currency} /> },
  {
    header: 'Taken back',
    align: 'right',
    cell: ({ reversed, currency }) => <Amount value={reversed} currency={currency} />,
  },
  {
    header: 'Adjusted',
    align: 'right',
    cell: ({ adjusted, currency }) => <Amount value={adjusted} currency={currency} />,
  },
  {
    header: 'Expected',
    align: 'right',
    cell: ({ expected, currency }) => <Amount value={expected} currency={currency} />,
  },
];

/** What came to the bank; without it, what the processor says. */
export function AtBank({ deposit: { bankAmount, amount, currency } }: DepositProps): VNode | null {
  if (bankAmount !== null) return <Amount value={bankAmount} currency={currency} />;
  if (amount === null) return null;
  return (
    <span>
      <Amount value={amount} currency={currency} />
      <small class="aside">says the processor</small>
    </span>
  );
}
