import type { RefundRowRequest } from './refund-row.request.js';

/**
 * Gives each refund of a file without an id one, by which it is known when the file is imported again. Refunds of a gift
 * over the same amount are told apart by their dates, and on one date by their order.
 */
export class RefundIds {
  private readonly counts = new Map<string, number>();

  /** The id of the next refund. Call it in the order of the file. */
  next({ Source, TransactionId, Amount, Date = '', RefundId }: RefundRowRequest): string {
    if (RefundId !== undefined) return RefundId;
    const amount = Amount ?? 'rest';
    const key = JSON.stringify([Source, TransactionId, amount, Date]);
    const number = (this.counts.get(key) ?? 0) + 1;
    this.counts.set(key, number);
    return `import ${amount} ${Date} ${number} ${TransactionId}`;
  }
}
