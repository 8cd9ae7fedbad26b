import { amountInWords } from '../../../pages/index.js';
import type { PersonToMerge } from './merge-preview.js';

/** "12 gifts of USD 480.50, and 1 pledge of USD 100.00" */
export function giftsInWords({ gifts, pledges, totals }: PersonToMerge): string {
  const given = totals.filter(({ count }) => count > 0).map(({ total, currency }) => amountInWords(total, currency));
  const pledged = totals
    .filter(({ pledgeCount }) => pledgeCount > 0)
    .map(({ pledgeTotal, currency }) => amountInWords(pledgeTotal, currency));
  const of = (sums: readonly string[]): string => (sums.length === 0 ? '' : ` of ${sums.join(', ')}`);
  return (
    countInWords(gifts, 'gift') +
    of(given) +
    (pledges === 0 ? '' : `, and ${countInWords(pledges, 'pledge')}${of(pledged)}`)
  );
}

/** "1 contact", "2 contacts" */
export function countInWords(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
