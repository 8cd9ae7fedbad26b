import type { Query } from '../../../../http/index.js';
import type { SentItem } from '../../filling/named-item.js';
import { rowsIn } from '../shared/named-fields.js';

/** The prefix of the boxes of items. */
export const ITEM = 'item-';

/** What an item is, as its box sends it. */
export type KindOfItem = 'Payment' | 'Reversal';

/** The payments and reversals whose boxes a form sends, by their ids. */
export function tickedItems(sent: Query): SentItem[] {
  return rowsIn(sent, ITEM).map(({ id, value }) => namedItem(value === 'Reversal', { contributionId: id }));
}

/** An item that is named by an id of ours, or by the sender's own id. */
export function namedItem(
  isReversal: boolean,
  {
    contributionId = null,
    transactionId = null,
    user = null,
  }: {
    readonly contributionId?: number | null;
    readonly transactionId?: string | null;
    readonly user?: string | null;
  },
): SentItem {
  return { isReversal, contributionId, source: null, transactionId, user, refundId: null, fee: null };
}
