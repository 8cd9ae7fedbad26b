import { fault, type FieldReader, isFault, read, readDay, readPathId } from '../../http/index.js';
import { readGiftDate, resolveGiftDate } from '../gift-date.js';
import { type PagePosition, readPosition } from '../reading/page-position.js';

/** The most contributions that one page holds. */
export const LONGEST_PAGE = 500;

/** An id by which a list is narrowed down. There may be nothing of that id: then the list is empty. */
export const existingId: FieldReader<number> = (value) => readPathId(String(value));

/** A day in church time. */
export const day: FieldReader<string> = readDay;

/** A moment in the notations that gifts' dates have. A day is its beginning, church time. */
export const moment: FieldReader<Date> = (value, { timeZone }) => {
  const date = readGiftDate(value);
  if (!isFault(date)) return read(resolveGiftDate(date.value, timeZone).instant);
  return typeof value === 'string' && / \d\d:?\d\d$/u.test(value)
    ? fault('must have its + written as %2B: in an address a + is a space')
    : date;
};

/** Where a page begins. */
export const position: FieldReader<PagePosition> = readPosition;

/** How many contributions a page holds. */
export const pageLimit: FieldReader<number> = (value) => {
  const limit = readPathId(String(value));
  return isFault(limit) || limit.value > LONGEST_PAGE
    ? fault(`must be a whole number from 1 to ${LONGEST_PAGE}`)
    : limit;
};

/** Whether a gift was taken back, in any letter case. */
export const status: FieldReader<'Recorded' | 'Reversed'> = (value) => {
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  if (text === 'recorded') return read('Recorded');
  return text === 'reversed' ? read('Reversed') : fault('must be recorded or reversed');
};
