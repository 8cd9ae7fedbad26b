/** Ids of the contract's reference data that the code refers to. The first migration has the rows. */

/** The type of a reversing entry, which only the system may use. */
export const REVERSED_TYPE = 7;

/** The type of a gift that names no type: Regular. */
export const DEFAULT_CONTRIBUTION_TYPE = 1;

/** Names of the types of gifts that the contract lists, for metrics. */
export const TYPE_NAMES: Readonly<Record<number, string>> = {
  1: 'Regular',
  5: 'Online',
  8: 'Pledge',
  9: 'NonTaxDed',
  10: 'Gift In Kind',
  20: 'Stock',
};

/** The bundle type of a gift that names no bundle type: Online. */
export const DEFAULT_BUNDLE_TYPE = 4;

/** The type of a pledge, which is only a promise and is not counted as a gift. */
export const PLEDGE_TYPE = 8;

/** The type of money that the giver may not deduct, such as tickets to a dinner. */
export const NON_DEDUCTIBLE_TYPE = 9;

/** The types of gifts that are not money: in kind and in stock. The church must not state their value to the giver. */
export const NON_CASH_TYPES = [10, 20] as const;

/** `payment.method`: how it was paid. */
export const PAYMENT_METHODS = ['card', 'ach', 'check', 'cash', 'wallet', 'other'] as const;

export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

/** `contribution.status`. */
export const RECORDED = 0;
export const REVERSED = 1;

/** `bundle.status`. */
export const OPEN = 1;
