import { fieldReader } from '../../http/index.js';
import {
  amountOrZeroSchema,
  DAY_SCHEMA,
  fault,
  FIRST_GIFT_DAY,
  isFault,
  readAmountOrZero,
  readDay,
  readSignedAmount,
  signedAmountSchema,
} from '../../values/index.js';

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

/** A day of a payout, or in a filter, YYYY-MM-DD, from the first day that a gift can have. */
export const depositDay = fieldReader<string>(DAY_SCHEMA, (value) => {
  const day = readDay(value);
  return isFault(day) || day.value >= FIRST_GIFT_DAY ? day : fault(`must be ${FIRST_GIFT_DAY} or later`);
});
