import { fieldReader } from '../../../http/index.js';
import { CURRENCY_SCHEMA, readCurrency } from './currency-code.js';
import {
  amountOrZeroSchema,
  amountSchema,
  fault,
  GiftDate,
  isFault,
  isGiftDateInRange,
  readAmount,
  readAmountOrZero,
  readGiftDate,
  resolveGiftDate,
} from '../../../values/index.js';

/** An amount in the church's currency. */
export const amount = fieldReader(
  ({ minorUnits }) => amountSchema(minorUnits),
  (value, { minorUnits }) => readAmount(value, minorUnits),
);

/** What the processor keeps of an amount: 0 or more. */
export const fee = fieldReader(
  ({ minorUnits }) => amountOrZeroSchema(minorUnits),
  (value, { minorUnits }) => readAmountOrZero(value, minorUnits),
);

/** A currency by its ISO 4217 code, in upper case. */
export const currency = fieldReader(CURRENCY_SCHEMA, readCurrency);

/** A day or an instant, from 1900 to the end of tomorrow in church time. It has too many notations for a pattern. */
export const giftDate = fieldReader<GiftDate>({ type: 'string' }, (value, { timeZone, slashDates }, now) => {
  const date = readGiftDate(value, slashDates);
  if (isFault(date) || isGiftDateInRange(resolveGiftDate(date.value, timeZone), timeZone, now)) return date;
  return fault('must be from 1900-01-01 to the end of tomorrow, church time');
});
