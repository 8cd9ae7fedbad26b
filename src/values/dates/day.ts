import { DateTime } from 'luxon';
import type { JsonSchema } from '../json-schema.js';
import { fault, read, type Reading } from '../reading.js';

/** The notation of a day: YYYY-MM-DD. PostgreSQL has no year 0. {@link isDay} also checks that the calendar has the day. */
export const DAY_PATTERN = /^(?!0000)\d{4}-\d{2}-\d{2}$/;

/** A day of an answer, in church time. */
export const DAY: JsonSchema = { type: 'string', format: 'date', maxLength: 'YYYY-MM-DD'.length };

/** True if the text is a day of the calendar, as the filters of lists accept it: YYYY-MM-DD. */
export function isDay(text: string): boolean {
  return DAY_PATTERN.test(text) && DateTime.fromISO(text, { zone: 'utc' }).isValid;
}

/** Reads a day of a list's filter: YYYY-MM-DD. Gifts accept more notations: see gift-date.ts. */
export function readDay(value: unknown): Reading<string> {
  return typeof value === 'string' && isDay(value) ? read(value) : fault('must be a day as YYYY-MM-DD');
}

/** What {@link readDay} accepts. */
export const DAY_SCHEMA: JsonSchema = {
  type: 'string',
  format: 'date',
  maxLength: 'YYYY-MM-DD'.length,
  pattern: DAY_PATTERN.source,
};
