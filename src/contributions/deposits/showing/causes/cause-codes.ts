/** The likely causes of a difference, for programs. Names never change after their release. */
export const CAUSE_CODES = [
  'not_in_books',
  'in_other_deposit',
  'payout_incomplete',
  'reversed_since',
  'fee_differs',
  'fee_unknown',
  'bank_amount_differs',
  'gift_missing',
  'reversal_missing',
  'item_too_many',
] as const;

export type CauseCode = (typeof CAUSE_CODES)[number];
