import type { Entry, Payment } from './entry.js';

/** The id of a payment: that of its first part. */
export function idOf(payment: Payment): number {
  return payment.entries[0]?.id ?? 0;
}

export function partsOf({ entries }: Payment): Entry[] {
  return entries.filter(({ kind }) => kind === 'part');
}

/** Parts and reinstatements, by id. */
export function giftsOf({ entries }: Payment): Entry[] {
  return entries.filter(isGift);
}

export function isGift({ kind }: Entry): boolean {
  return kind === 'part' || kind === 'reinstatement';
}

/** The entries that reverse a gift, by id. */
export function reversalsOf(gift: Entry): Entry[] {
  return gift.payment.entries.filter(({ kind, of }) => kind === 'reversing entry' && of === gift);
}

/** What is reversed of a gift, in cents. */
export function reversedOf(gift: Entry): number {
  return -sum(reversalsOf(gift));
}

/** What is left of a gift, in cents. */
export function leftOf(gift: Entry): number {
  return gift.cents - reversedOf(gift);
}

/** What is left of a payment, in cents. A move changes nothing. */
export function leftOfPayment({ entries }: Payment): number {
  return sum(entries);
}

/** Whether it is a gift of which nothing is left. */
export function isReversed(entry: Entry): boolean {
  return isGift(entry) && leftOf(entry) === 0;
}

/** The fund in which a gift is now: that of its last move, otherwise its own. */
export function currentFundOf(gift: Entry): number {
  const moves = gift.payment.entries.filter(({ kind, of, cents }) => kind === 'move' && of === gift && cents > 0);
  return (moves.at(-1) ?? gift).fundId;
}

/** The gift that gives back what this reversing entry took. */
export function reinstatementOf(reversing: Entry): Entry | undefined {
  return reversing.payment.entries.find(({ kind, of }) => kind === 'reinstatement' && of === reversing);
}

/** The last entry that reversed a part of a payment. */
export function lastReversalOf({ entries }: Payment): Entry | undefined {
  return entries.findLast(({ kind }) => kind === 'reversing entry');
}

export function sum(entries: readonly { readonly cents: number }[]): number {
  return entries.reduce((total, { cents }) => total + cents, 0);
}

/** What is taken from a gift. */
export interface Share {
  readonly gift: Entry;
  /** Positive. */
  readonly cents: number;
}

/**
 * Takes an amount from gifts in proportion to what is left of each. Of what whole cents leave over, the largest remainders
 * get a cent each; of equal ones, those of the lower ids. No share is 0.
 */
export function spread(cents: number, gifts: readonly Entry[]): Share[] {
  const total = gifts.reduce((left, gift) => left + leftOf(gift), 0);
  const shares = gifts.map((gift) => {
    const product = cents * leftOf(gift);
    return { gift, cents: Math.floor(product / total), remainder: product % total };
  });
  let rest = cents - sum(shares);
  for (const share of [...shares].sort((a, b) => b.remainder - a.remainder || a.gift.id - b.gift.id)) {
    if (rest-- > 0) share.cents += 1;
  }
  return shares.filter((share) => share.cents > 0).map((share) => ({ gift: share.gift, cents: share.cents }));
}
