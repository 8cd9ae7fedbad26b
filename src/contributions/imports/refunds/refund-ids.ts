import type { RefundRowRequest } from './refund-row.request.js';

/**
 * Gives each refund of a file an id, by which it is known when the file is imported again. Two refunds of a gift over the
 * same amount are told apart by their order.
 */
export class RefundIds {
  private readonly counts = new Map<string, number>();

  /** The id of the next refund. Call it in the order of the file. */
  next({ Source, TransactionId, Amount = 'rest' }: RefundRowRequest): string {
    const key = JSON.stringify([Source, TransactionId, Amount]);
    const number = (this.counts.get(key) ?? 0) + 1;
    this.counts.set(key, number);
    return `import ${Amount} ${number} ${TransactionId}`;
  }
}
