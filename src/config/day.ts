import { DateTime } from 'luxon';

/** Whether a text is a day of the calendar as lists are asked for it, by HTTP and on the command line: YYYY-MM-DD. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && DateTime.fromISO(text, { zone: 'utc' }).isValid;
}
