import { DateTime } from 'luxon';

/** How a day is written; see {@link isDay} for whether it is one. */
export const DAY_PATTERN = /^\d{4}-\d{2}-\d{2}$/;

/** Whether a text is a day of the calendar as lists are asked for it, by HTTP and on the command line: YYYY-MM-DD. */
export function isDay(text: string): boolean {
  return DAY_PATTERN.test(text) && DateTime.fromISO(text, { zone: 'utc' }).isValid;
}
