import { conditionsOf, type ContributionFilter } from '../listing/contribution-filter.js';
import { isGift, isInFund } from '../../ledger/index.js';

/** The filter of a search for gifts. Undefined fields do not filter. */
export interface GiftFilter extends Omit<ContributionFilter, 'updatedSince'> {
  /** The user who added the gift. */
  readonly processor?: string | undefined;
  /** Of the gift, or of the payment of which it is a part: what the bank shows. */
  readonly paidAmount?: string | undefined;
}

/** Adds a value to a statement and returns its `$1`, `$2`, … */
export type AddParameter = (value: unknown) => string;

/** SQL that joins the payment `p` if the conditions of {@link selectedGifts} need it: a look-up for each gift of a month. */
export function joinOfPayment({ method, paidAmount }: GiftFilter): string {
  return method === undefined && paidAmount === undefined ? '' : 'JOIN payment p ON p.id = c.payment_id';
}

/** SQL for whether a contribution `c` with its payment `p` is a gift that the filter selects. The fund is where the gift is now. */
export function selectedGifts({ processor, fundId, paidAmount, ...filter }: GiftFilter, add: AddParameter): string {
  const conditions = [isGift('c'), ...conditionsOf(filter, add)];
  if (processor !== undefined) {
    conditions.push(`c.added_by = (SELECT id FROM app_user WHERE username = ${add(processor)})`);
  }
  if (paidAmount !== undefined) conditions.push(`${add(paidAmount)}::numeric IN (c.amount, p.amount)`);
  if (fundId !== undefined) conditions.push(isInFund('c', add(fundId)));
  return conditions.join(' AND ');
}
