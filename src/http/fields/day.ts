import { DateTime } from 'luxon';
import { fault, read, type Reading } from './reading.js';

/** Reads a day as lists are asked for it, YYYY-MM-DD. Gifts take more notations: see the contributions' gift-date. */
export function readDay(value: unknown): Reading<string> {
  const isDay =
    typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && DateTime.fromISO(value, { zone: 'utc' }).isValid;
  return isDay ? read(value) : fault('must be a day as YYYY-MM-DD');
}
