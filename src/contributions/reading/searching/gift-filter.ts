import { conditionsOf, type ContributionFilter } from '../listing/contribution-filter.js';
import { currentFund, isGift } from '../../ledger/index.js';

/** The filter of a search for gifts. Undefined fields do not filter. */
export interface GiftFilter extends Omit<ContributionFilter, 'updatedSince'> {
  /** The user who added the gift. */
  readonly processor?: string | undefined;
}

/** Adds a value to a statement and returns its `$1`, `$2`, … */
export type AddParameter = (value: unknown) => string;

/**
 * SQL for whether a contribution `c` with its payment `p` is a gift that the filter selects. The fund is the one in which
 * the gift is now. The condition on `c.fund_id` is for the index: the gift's own fund, or a gift that was moved.
 */
export function selectedGifts({ processor, fundId, ...filter }: GiftFilter, add: AddParameter): string {
  const conditions = [isGift('c'), ...conditionsOf(filter, add)];
  if (processor !== undefined) {
    conditions.push(`c.added_by = (SELECT id FROM app_user WHERE username = ${add(processor)})`);
  }
  if (fundId !== undefined) {
    const fund = add(fundId);
    const moved = `SELECT m.moves_id FROM contribution m WHERE m.moves_id IS NOT NULL AND m.amount > 0 AND m.fund_id = ${fund}`;
    conditions.push(`(c.fund_id = ${fund} OR c.id = ANY (ARRAY(${moved})))`, `${currentFund('c')} = ${fund}`);
  }
  return conditions.join(' AND ');
}
