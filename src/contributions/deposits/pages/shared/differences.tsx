import type { VNode } from 'preact';
import { Amount, amountInWords } from '../../../../pages/index.js';
import type { DepositView } from '../../deposit-view.js';
import { counted } from './each-by-itself.js';

/** A deposit that differs from the bank. */
export type DifferingDeposit = Pick<DepositView, 'id' | 'difference' | 'currency'>;

/** The most deposits that are named in a sentence. */
export const NAMED = 5;

/** Whether there is a difference. */
export function isDifference(amount: string | null | undefined): amount is string {
  return typeof amount === 'string' && /[1-9]/.test(amount);
}

interface DifferencesProps {
  readonly deposits: readonly DifferingDeposit[];
  /** The link to a deposit, or to its row. */
  readonly link: (id: number) => VNode;
}

/** "1 differs: deposit 14 by −25.00", with links. */
export function Differences({ deposits, link }: DifferencesProps): VNode {
  return (
    <>
      {counted(deposits.length, 'differs', 'differ')}:{' '}
      {deposits.slice(0, NAMED).map(({ id, difference, currency }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          {link(id)}
          {isDifference(difference) && (
            <>
              {' '}
              by <Amount value={difference} currency={currency} />
            </>
          )}
        </span>
      ))}
      {othersInWords(deposits)}
    </>
  );
}

/** "1 differs: deposit 14 by USD −25.00", for a message. */
export function differencesInWords(deposits: readonly DifferingDeposit[]): string {
  const named = deposits.slice(0, NAMED).map(({ id, difference, currency }) => {
    const by = isDifference(difference) ? ` by ${amountInWords(difference, currency)}` : '';
    return `deposit ${id}${by}`;
  });
  return `${counted(deposits.length, 'differs', 'differ')}: ${named.join(', ')}${othersInWords(deposits)}`;
}

/** " and 3 others", after those that are named; an empty text if all are. */
export function othersInWords({ length }: readonly unknown[]): string {
  return length > NAMED ? ` and ${counted(length - NAMED, 'other', 'others')}` : '';
}
