import type { VNode } from 'preact';
import { Link } from '../../../../pages/index.js';
import { PAYOUTS_PER_LIST } from '../../showing/payout-view.js';
import { DEPOSITS, PAYOUTS } from './deposit-words.js';

/** How many payouts have no deposit yet, with the way to make them. @param count at most {@link PAYOUTS_PER_LIST}. */
export function MissingDeposits({ count }: { readonly count: number }): VNode | null {
  if (count === 0) return null;
  const atLeast = count < PAYOUTS_PER_LIST ? '' : 'or more ';
  return (
    <p class="notice">
      {count} {atLeast}
      {count === 1 ? 'payout has no deposit yet, so it is' : 'payouts have no deposit yet, so they are'} not listed
      here. <Link to={`${DEPOSITS}#${PAYOUTS}`}>{count === 1 ? 'Make its deposit' : 'Make their deposits'}</Link>
    </p>
  );
}
