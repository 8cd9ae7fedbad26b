import {
  EMAIL_SCHEMA,
  fault,
  fieldReader,
  type FieldReader,
  FLAG_SCHEMA,
  ID_SCHEMA,
  integerTextSchema,
  isFault,
  readEmail,
  readFlag,
  readId,
  readIntegerText,
  readText,
  textSchema,
} from '../../http/index.js';
import { amountSchema, readAmount } from '../amount.js';
import { CURRENCY_SCHEMA, readCurrency } from '../currency-code.js';
import { GiftDate, isGiftDateInRange, readGiftDate, resolveGiftDate } from '../gift-date.js';

/** Text of at most so many characters on one line. */
export const text = (max: number): FieldReader<string> =>
  fieldReader(textSchema({ max }), (value) => readText(value, { max }));

/** Text of at most so many characters, in which lines and tabs may stand. */
export const lines = (max: number): FieldReader<string> =>
  fieldReader(textSchema({ max }), (value) => readText(value, { max, lineBreaks: true }));

/** Text of at most so many characters, or a JSON integer taken as its digits. */
export const digits = (max: number): FieldReader<string> =>
  fieldReader(integerTextSchema(max), (value) => readIntegerText(value, max));

/** One e-mail address. */
export const email = fieldReader(EMAIL_SCHEMA, readEmail);

/** An id; 0 counts as not sent. */
export const id = fieldReader(ID_SCHEMA, readId);

/** True or false, as such or as text. */
export const flag = fieldReader(FLAG_SCHEMA, readFlag);

/** An amount in the church's currency, as decimal text with two decimals. */
export const amount = fieldReader(
  ({ minorUnits }) => amountSchema(minorUnits),
  (value, { minorUnits }) => readAmount(value, minorUnits),
);

/** A currency by its ISO 4217 code, in upper case. */
export const currency = fieldReader(CURRENCY_SCHEMA, readCurrency);

/** A day or a moment, from 1900 to the end of tomorrow in church time. The notations are too many for a pattern. */
export const giftDate = fieldReader<GiftDate>({ type: 'string' }, (value, { timeZone, slashDates }, now) => {
  const date = readGiftDate(value, slashDates);
  if (isFault(date) || isGiftDateInRange(resolveGiftDate(date.value, timeZone), timeZone, now)) return date;
  return fault('must be from 1900-01-01 to the end of tomorrow, church time');
});
