import { fieldReader } from '../../../http/index.js';
import { CURRENCY_LENIENCY, readCurrency } from './currency-code.js';
import {
  amountLeniency,
  amountOrZeroLeniency,
  amountSchema,
  CURRENCY,
  fault,
  GIFT_DATE_LENIENCY,
  GIFT_DATE_SCHEMA,
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
  ({ minorUnits }) => amountLeniency(minorUnits),
);

/** What the processor keeps of an amount: 0 or more. */
export const fee = fieldReader(
  ({ minorUnits }) => amountSchema(minorUnits),
  (value, { minorUnits }) => readAmountOrZero(value, minorUnits),
  ({ minorUnits }) => amountOrZeroLeniency(minorUnits),
);

/** A currency by its ISO 4217 code, in upper case. */
export const currency = fieldReader(CURRENCY, readCurrency, CURRENCY_LENIENCY);

/** A day or an instant, from 1900 to the end of tomorrow in church time. */
export const giftDate = fieldReader<GiftDate>(
  GIFT_DATE_SCHEMA,
  (value, { timeZone, slashDates }, now) => {
    const date = readGiftDate(value, slashDates);
    if (isFault(date) || isGiftDateInRange(resolveGiftDate(date.value, timeZone), timeZone, now)) return date;
    return fault('must be from 1900-01-01 to the end of tomorrow, church time');
  },
  GIFT_DATE_LENIENCY,
);
