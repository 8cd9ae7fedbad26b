/** An item as its sender names it: a payment, or a reversal, by a ContributionId or by the sender's own id. */
export interface NamedItem {
  readonly isReversal: boolean;
  /** Null if it is named by a transaction id. */
  readonly contributionId: number | null;
  /** The source of the transaction id; null for that of the deposit, and without a transaction id. */
  readonly source: string | null;
  readonly transactionId: string | null;
  /** Which reversal; null if it has no id or is not named. */
  readonly refundId: string | null;
  /** What the processor keeps, as decimal text; null if it is not named. */
  readonly fee: string | null;
}

/** What an item is in the books. */
export interface KnownItem {
  readonly paymentId: number;
  /** The first entry of the reversal; null for a payment. */
  readonly reversalId: number | null;
  /** What was paid or taken back, as decimal text. */
  readonly amount: string;
  /** The fee of the payment, as decimal text; null for a reversal, and if it is unknown. */
  readonly fee: string | null;
}

/** Two items with the same key have the same name. */
export function nameKey({
  isReversal,
  contributionId,
  source,
  transactionId,
  refundId,
}: Omit<NamedItem, 'fee'>): string {
  return JSON.stringify([isReversal, contributionId, source, transactionId, refundId]);
}

/** The same for all names of one payment, or of one reversal. */
export function knownKey({ paymentId, reversalId }: Pick<KnownItem, 'paymentId' | 'reversalId'>): string {
  return reversalId === null ? `payment ${paymentId}` : `reversal ${reversalId}`;
}

/** The item in words, for messages. */
export function itemInWords({
  isReversal,
  contributionId,
  transactionId,
  refundId,
}: Omit<NamedItem, 'fee' | 'source'>): string {
  const gift = contributionId === null ? `TransactionId ${transactionId ?? ''}` : `contribution ${contributionId}`;
  if (!isReversal) return gift;
  return refundId === null ? `the reversal of ${gift}` : `the reversal ${refundId} of ${gift}`;
}
