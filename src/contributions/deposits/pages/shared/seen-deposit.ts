import type { DepositView } from '../../deposit-view.js';
import type { ReconcileDepositCommand } from '../../settling/reconcile-deposit.service.js';

const SEEN = /^(\d{1,9}) (-?\d{1,16}(?:\.\d{1,2})?)$/;

/** What somebody has seen of a deposit, for a form: "4 1610.66". */
export function seenText({ itemCount, expected }: Pick<DepositView, 'itemCount' | 'expected'>): string {
  return `${itemCount} ${expected}`;
}

/** What {@link seenText} wrote, for the use case to compare; undefined if it is anything else. */
export function readSeen(text: string): Required<Pick<ReconcileDepositCommand, 'itemCount' | 'expected'>> | undefined {
  const [, itemCount, expected] = SEEN.exec(text) ?? [];
  return itemCount === undefined || expected === undefined ? undefined : { itemCount: Number(itemCount), expected };
}
