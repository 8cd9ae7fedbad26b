import { displayAmount, type StoredAmount, sumOfAmounts, toCents } from '../../../values/index.js';
import { GiftChangedError } from '../errors.js';
import type { GiftRow } from './payment-rows.js';

/** What the caller has seen of a payment; undefined fields are not compared. */
export interface SeenPayment {
  /** What was left of it. */
  readonly left?: StoredAmount | undefined;
  /** All funds in which something was left. */
  readonly fundIds?: readonly number[] | undefined;
}

/** What is left of gifts together. */
export function leftOf(gifts: readonly GiftRow[]): StoredAmount {
  return sumOfAmounts(gifts.map(({ left }) => left));
}

/** @param gifts those of the payment of which something is left. @throws GiftChangedError */
export function assertAsSeen(contributionId: number, gifts: readonly GiftRow[], seen: SeenPayment): void {
  const currency = gifts[0]?.currency ?? '';
  const left = leftOf(gifts);
  const present = { contributionId, left: displayAmount(left, currency), currency };
  if (seen.left !== undefined && toCents(seen.left) !== toCents(left)) throw new GiftChangedError('left', present);
  if (seen.fundIds === undefined) return;
  const fundIds = [...new Set(gifts.map(({ fund_id }) => fund_id))].sort((one, other) => one - other);
  const isSame = fundIds.length === new Set(seen.fundIds).size && fundIds.every((id) => seen.fundIds?.includes(id));
  if (!isSame) throw new GiftChangedError('funds', { ...present, fundIds });
}
