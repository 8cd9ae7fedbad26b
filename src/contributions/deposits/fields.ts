import { fieldReader } from '../../http/index.js';
import {
  amountOrZeroLeniency,
  amountSchema,
  CURRENCY,
  DAY_SCHEMA,
  fault,
  FIRST_GIFT_DAY,
  isFault,
  minorUnitsOf,
  read,
  readAmountOrZero,
  readDay,
  readSignedAmount,
  signedAmountLeniency,
  signedAmountSchema,
  STORED_DECIMALS,
  trimText,
} from '../../values/index.js';

/**
 * What a processor keeps: 0 or more, as decimal text with two decimals. The deposit may be in a former currency of the church with
 * other decimals, so the use case checks the decimals.
 */
export const fee = fieldReader(
  amountSchema(STORED_DECIMALS),
  (value) => readAmountOrZero(value, STORED_DECIMALS),
  amountOrZeroLeniency(STORED_DECIMALS),
);

/** An amount that may be negative, as that of a payout that takes money from the bank. In the same form. */
export const signedAmount = fieldReader(
  signedAmountSchema(STORED_DECIMALS),
  (value) => readSignedAmount(value, STORED_DECIMALS),
  signedAmountLeniency(STORED_DECIMALS),
);

const CODE = /^[A-Za-z]{3}$/;

/** A currency by its ISO 4217 code. */
export const currency = fieldReader<string>(
  CURRENCY,
  (value) => {
    const code = typeof value === 'string' ? trimText(value) : '';
    return CODE.test(code) && minorUnitsOf(code.toUpperCase()) !== undefined
      ? read(code.toUpperCase())
      : fault('must be the code of a currency, such as USD');
  },
  { schema: { type: 'string', pattern: CODE.source }, words: 'Letter case does not matter.' },
);

/** A day of a payout, or in a filter, YYYY-MM-DD, from the first day that a gift can have. */
export const depositDay = fieldReader<string>(DAY_SCHEMA, (value) => {
  const day = readDay(value);
  return isFault(day) || day.value >= FIRST_GIFT_DAY ? day : fault(`must be ${FIRST_GIFT_DAY} or later`);
});
