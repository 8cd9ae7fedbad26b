import type { Query } from '../../../../http/index.js';
import type { NamedItem } from '../../filling/named-item.js';
import { rowsIn } from '../shared/named-fields.js';

/** The prefix of the boxes of items. */
export const ITEM = 'item-';

/** What an item is, as its box sends it. */
export type KindOfItem = 'Payment' | 'Reversal';

/** The payments and reversals whose boxes a form sends, by their ids. */
export function tickedItems(sent: Query): NamedItem[] {
  return rowsIn(sent, ITEM).map(({ id, value }) => namedItem(value === 'Reversal', { contributionId: id }));
}

/** An item that is named by an id of ours, or by the sender's own id. */
export function namedItem(
  isReversal: boolean,
  {
    contributionId = null,
    transactionId = null,
  }: { readonly contributionId?: number | null; readonly transactionId?: string | null },
): NamedItem {
  return { isReversal, contributionId, source: null, transactionId, refundId: null, fee: null };
}
