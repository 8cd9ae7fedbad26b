import type { RowResult } from '../results/result-file.js';
import type { PaymentRows } from './payment-rows.js';

type RowPosition = Pick<RowResult, 'row' | 'line'>;

/**
 * The results of payments that a file spreads over several rows. The first row records the whole payment, and all its rows
 * have the same result.
 */
export class PaymentResults {
  private readonly results = new Map<number, RowResult>();

  /** @param payments of the file; undefined if it has none. */
  constructor(private readonly payments: PaymentRows | undefined) {}

  /** Keeps the result of a payment's first row for the further ones. @returns the result of any row, unchanged. */
  keep(result: RowResult): RowResult {
    if (this.payments?.firstRowOf(result.row) === result.row) this.results.set(result.row, result);
    return result;
  }

  /**
   * The result of a further row. That of the payment's first row must be kept already. After the payment's last row it is
   * no longer needed.
   */
  further(firstRow: number, position: RowPosition): RowResult {
    const first = this.results.get(firstRow);
    if (this.payments?.isLastRow(position.row) === true) this.results.delete(firstRow);
    if (first === undefined) throw new Error(`Row ${position.row} came before row ${firstRow} of its payment`);
    return { ...first, ...position };
  }
}
