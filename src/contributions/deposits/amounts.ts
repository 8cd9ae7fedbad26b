import { fieldReader } from '../../http/index.js';
import { amountOrZeroSchema, readAmountOrZero, readSignedAmount, signedAmountSchema } from '../../values/index.js';

/** What a processor keeps: 0 or more, in the church's currency, as decimal text with two decimals. */
export const fee = fieldReader(
  ({ minorUnits }) => amountOrZeroSchema(minorUnits),
  (value, { minorUnits }) => readAmountOrZero(value, minorUnits),
);

/** An amount that may be negative, as that of a payout that takes money from the bank. In the same form. */
export const signedAmount = fieldReader(
  ({ minorUnits }) => signedAmountSchema(minorUnits),
  (value, { minorUnits }) => readSignedAmount(value, minorUnits),
);
