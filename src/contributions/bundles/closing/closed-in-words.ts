import { storedAmount, sumOfAmounts } from '../../../values/index.js';
import { describeTotals, displayTotals, type Totals } from '../../ledger/index.js';
import type { BundleView } from '../bundle-view.js';

/** The message names up to so many bundles. */
const MOST_NAMED = 20;

/** "2 bundles are closed: 7, 8." Of many: "34 bundles are closed with 120 entries, USD 4,805.00." */
export function closedInWords(bundles: readonly Pick<BundleView, 'bundleId' | 'totals'>[]): string {
  const what = bundles.length === 1 ? '1 bundle is' : `${bundles.length} bundles are`;
  if (bundles.length <= MOST_NAMED) return `${what} closed: ${bundles.map(({ bundleId }) => bundleId).join(', ')}.`;
  return `${what} closed with ${describeTotals(sumOf(bundles.flatMap(({ totals }) => totals)))}.`;
}

/** The totals of several bundles together, by currency. */
export function sumOf(totals: readonly Totals[]): Totals[] {
  return [...new Set(totals.map(({ currency }) => currency))].map((currency) => {
    const own = totals.filter((one) => one.currency === currency);
    return displayTotals({
      currency,
      count: own.reduce((sum, { count }) => sum + count, 0),
      total: sumOfAmounts(own.map(({ total }) => storedAmount(total))),
      pledgeCount: own.reduce((sum, { pledgeCount }) => sum + pledgeCount, 0),
      pledgeTotal: sumOfAmounts(own.map(({ pledgeTotal }) => storedAmount(pledgeTotal))),
    });
  });
}
