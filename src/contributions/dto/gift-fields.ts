import {
  fault,
  type FieldReader,
  isFault,
  readEmail,
  readFlag,
  readId,
  readIntegerText,
  readText,
} from '../../http/index.js';
import { readAmount } from '../amount.js';
import { GiftDate, isGiftDateInRange, readGiftDate, resolveGiftDate } from '../gift-date.js';

/** Text of at most so many characters on one line. */
export const text =
  (max: number): FieldReader<string> =>
  (value) =>
    readText(value, { max });

/** Text of at most so many characters, in which lines and tabs may stand. */
export const lines =
  (max: number): FieldReader<string> =>
  (value) =>
    readText(value, { max, lineBreaks: true });

/** Text of at most so many characters, or a JSON integer taken as its digits. */
export const digits =
  (max: number): FieldReader<string> =>
  (value) =>
    readIntegerText(value, max);

/** One e-mail address. */
export const email: FieldReader<string> = readEmail;

/** An id; 0 counts as not sent. */
export const id: FieldReader<number | undefined> = readId;

/** True or false, as such or as text. */
export const flag: FieldReader<boolean> = readFlag;

/** An amount in the church's currency, as decimal text with two decimals. */
export const amount: FieldReader<string> = (value, church) => readAmount(value, church.minorUnits);

/** A day or a moment, from 1900 to the end of tomorrow in church time. */
export const giftDate: FieldReader<GiftDate> = (value, { timeZone }) => {
  const date = readGiftDate(value);
  if (isFault(date) || isGiftDateInRange(resolveGiftDate(date.value, timeZone), timeZone, new Date())) return date;
  return fault('must be from 1900-01-01 to the end of tomorrow, church time');
};
