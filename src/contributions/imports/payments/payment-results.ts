import type { RowResult } from '../results/result-file.js';

type RowPosition = Pick<RowResult, 'row' | 'line'>;

/**
 * The results of payments that a file spreads over several rows. The first row records the whole payment, and all its rows
 * have the same result.
 */
export class PaymentResults {
  private readonly results = new Map<number, Promise<RowResult>>();

  /** Keeps the result of the first row for the further ones. @param importRow records the payment. */
  first(row: number, importRow: () => Promise<RowResult>): () => Promise<RowResult> {
    return () => {
      const result = importRow();
      this.results.set(row, result);
      return result;
    };
  }

  /**
   * The result of a further row. Call the returned function after that of the payment's first row.
   * @param isLast whether the result of the first row is not needed any more.
   */
  further(firstRow: number, position: RowPosition, isLast: boolean): () => Promise<RowResult> {
    return async () => {
      const first = this.results.get(firstRow);
      if (isLast) this.results.delete(firstRow);
      if (first === undefined) throw new Error(`Row ${position.row} came before row ${firstRow} of its payment`);
      return { ...(await first), ...position };
    };
  }
}
