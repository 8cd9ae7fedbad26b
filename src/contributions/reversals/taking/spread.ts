/** What is left of a gift, in the smallest unit of money that counts. */
export interface Remainder {
  /** The ContributionId of the gift. */
  readonly id: number;
  readonly left: bigint;
}

/** What is taken from a gift, in the same unit. */
export interface Taken {
  readonly id: number;
  readonly taken: bigint;
}

/**
 * Spreads an amount over gifts in proportion to what is left of each, by largest remainder; of equal remainders the lower
 * id gets the unit. The result adds up to the amount, has no zeros, is in order of id, and takes from no gift more than
 * is left of it.
 * @param amount at most the sum of what is left.
 */
export function spread(amount: bigint, gifts: readonly Remainder[]): Taken[] {
  const total = gifts.reduce((sum, { left }) => sum + left, 0n);
  if (amount < 0n || amount > total) throw new RangeError(`${amount} cannot be taken from ${total}`);
  if (amount === 0n) return [];
  const shares = gifts.map(({ id, left }) => {
    const exact = amount * left;
    return { id, taken: exact / total, remainder: exact % total };
  });
  const missing = Number(shares.reduce((sum, { taken }) => sum - taken, amount));
  shares.sort((a, b) => compare(b.remainder, a.remainder) || a.id - b.id);
  return shares
    .map(({ id, taken }, rank) => ({ id, taken: rank < missing ? taken + 1n : taken }))
    .filter(({ taken }) => taken > 0n)
    .sort((a, b) => a.id - b.id);
}

function compare(a: bigint, b: bigint): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
