/** An item as its sender names it: a payment, or a reversal, by a ContributionId or by the sender's own id. */
export interface NamedItem {
  readonly isReversal: boolean;
  /** Null if it is named by a transaction id. */
  readonly contributionId: number | null;
  /** The source of the transaction id; null for that of the deposit, and without a transaction id. */
  readonly source: string | null;
  readonly transactionId: string | null;
  /** The user who must have sent the gift; null: any user. */
  readonly userId: number | null;
  /** Which reversal; null if it has no id or is not named. */
  readonly refundId: string | null;
  /** What the processor keeps, as decimal text; null if it is not named. */
  readonly fee: string | null;
}

/** An item with the name of the user who must have sent the gift; null if it does not say who. */
export type SentItem = Omit<NamedItem, 'userId'> & { readonly user: string | null };

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

/**
 * The keys under which an item is looked up among those of a deposit. An item without a user is the same as each item with
 * its name.
 */
export function keysOfName(item: Omit<NamedItem, 'fee'>): string[] {
  return item.userId === null ? [nameKey(item, 'every user')] : [nameKey(item, item.userId), keyWithoutUser(item)];
}

/** The keys under which {@link keysOfName} finds an item that a deposit has. */
export function keysOfPresent(item: Omit<NamedItem, 'fee'>): string[] {
  return [item.userId === null ? keyWithoutUser(item) : nameKey(item, item.userId), nameKey(item, 'every user')];
}

/** The key of an item that has this name and no user. */
export function keyWithoutUser(item: Omit<NamedItem, 'fee'>): string {
  return nameKey(item, 'no user');
}

function nameKey(
  { isReversal, contributionId, source, transactionId, refundId }: Omit<NamedItem, 'fee'>,
  user: number | 'no user' | 'every user',
): string {
  return JSON.stringify([isReversal, contributionId, source, transactionId, refundId, user]);
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
}: Omit<NamedItem, 'fee' | 'source' | 'userId'>): string {
  const gift = contributionId === null ? `TransactionId ${transactionId ?? ''}` : `contribution ${contributionId}`;
  if (!isReversal) return gift;
  return refundId === null ? `the reversal of ${gift}` : `the reversal ${refundId} of ${gift}`;
}
