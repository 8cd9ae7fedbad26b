import { amountInWords, type Bar, roundedAmount } from '../../../pages/index.js';
import type { MonthSums } from './totals-view.js';

/** The bar of a net sum in a chart. */
export function barOfSums(
  named: Pick<Bar, 'label' | 'name'>,
  { gifts, total }: Pick<MonthSums, 'gifts' | 'total'>,
  currency: string,
): Bar {
  return {
    ...named,
    // Only the height of a bar: its exact value is the text.
    height: Number.parseFloat(total),
    short: roundedAmount(total),
    value: `${amountInWords(total, currency)}, ${gifts} ${gifts === 1 ? 'gift' : 'gifts'}`,
  };
}
