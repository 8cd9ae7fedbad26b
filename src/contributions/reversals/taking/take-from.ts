import {
  fromCents,
  minorUnitsOf,
  STORED_DECIMALS,
  type StoredAmount,
  sumOfAmounts,
  toCents,
} from '../../../values/index.js';
import type { ReversedGift } from './insert-reversing-entries.js';
import type { GiftRow } from './payment-rows.js';
import { spread } from './spread.js';

/** Hundredths, which stored amounts have in every currency. */
const CENT = 1n;

/**
 * Takes an amount from gifts of one payment, or all that is left of them.
 * @returns nothing if less is left; otherwise the gifts from which something is taken, by id.
 */
export function takeFrom(gifts: readonly GiftRow[], amount: StoredAmount | undefined): ReversedGift[] | undefined {
  const left = gifts.map((gift) => toCents(gift.left));
  const total = left.reduce((sum, each) => sum + each, 0n);
  const wanted = amount === undefined ? total : toCents(amount);
  if (wanted > total) return undefined;
  const unit = unitOf([wanted, ...left], gifts[0]?.currency ?? '');
  const taken = spread(
    wanted / unit,
    gifts.map(({ id }, index) => ({ id, left: (left[index] ?? 0n) / unit })),
  );
  const byId = new Map(gifts.map((gift) => [gift.id, gift]));
  return taken.flatMap((each) => {
    const gift = byId.get(each.id);
    return gift === undefined ? [] : [{ ...gift, taken: fromCents(each.taken * unit) }];
  });
}

/** The currency's smallest unit, in hundredths: no part of a yen is taken back. Amounts that have such parts keep them. */
function unitOf(cents: readonly bigint[], currency: string): bigint {
  const unit = 10n ** BigInt(STORED_DECIMALS - (minorUnitsOf(currency) ?? STORED_DECIMALS));
  return cents.every((each) => each % unit === 0n) ? unit : CENT;
}

export const NOTHING = fromCents(0n);

/** What has to be reversed for this much to be reversed in all. What was reinstated counts as reversed. */
export function missingTo(total: StoredAmount, gifts: readonly GiftRow[]): StoredAmount {
  const missing = toCents(total) - toCents(sumOfAmounts(gifts.map(({ reversed }) => reversed)));
  return missing > 0n ? fromCents(missing) : NOTHING;
}
