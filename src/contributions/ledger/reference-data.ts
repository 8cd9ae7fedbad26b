/** Ids of the contract's reference data that the code itself refers to; the rows stand in the first migration. */

/** The type of a reversing entry, made by the system alone. */
export const REVERSED_TYPE = 7;

/** The type of a gift that names none: Regular. */
export const DEFAULT_CONTRIBUTION_TYPE = 1;

/** Names of the types of gifts that the contract lists, for figures. */
export const TYPE_NAMES: Readonly<Record<number, string>> = {
  1: 'Regular',
  5: 'Online',
  8: 'Pledge',
  9: 'NonTaxDed',
  10: 'Gift In Kind',
  20: 'Stock',
};

/** The bundle type of a gift that names none: Online. */
export const DEFAULT_BUNDLE_TYPE = 4;

/** The type of a promise, which is kept apart from gifts. */
export const PLEDGE_TYPE = 8;

/** The type of money for which the giver may deduct nothing: tickets to a dinner, say. */
export const NON_DEDUCTIBLE_TYPE = 9;

/** The types of gifts that are not money, in kind and in stock: what they are worth is not for the church to state. */
export const NON_CASH_TYPES = [10, 20] as const;

/** `contribution.status`. */
export const RECORDED = 0;
export const REVERSED = 1;

/** `bundle.status`. */
export const OPEN = 1;
