import { FundNotOfPaymentError } from '../errors.js';
import type { GiftRow } from './payment-rows.js';

/** The gifts that were given to the fund, or else those that are in it now. @throws FundNotOfPaymentError */
export function giftsOfFund(fundId: number, contributionId: number, gifts: readonly GiftRow[]): readonly GiftRow[] {
  const given = gifts.filter((gift) => givenFundOf(gift, gifts) === fundId);
  if (given.length > 0) return given;
  const now = gifts.filter((gift) => gift.fund_id === fundId);
  if (now.length > 0) return now;
  throw new FundNotOfPaymentError(
    contributionId,
    gifts.map((gift) => gift.fund_name),
  );
}

/** A gift that was reinstated was given to the fund of the gift that it restores, wherever that was moved. */
function givenFundOf(gift: GiftRow, gifts: readonly GiftRow[]): number {
  const restored = gifts.find(({ id }) => id === gift.restores_id);
  return restored === undefined ? gift.given_fund_id : givenFundOf(restored, gifts);
}
