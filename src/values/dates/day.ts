import { DateTime } from 'luxon';
import type { JsonSchema } from '../json-schema.js';
import { fault, read, type Reading } from '../reading.js';

/** How a day is written; see {@link isDay} for whether it is one. */
export const DAY_PATTERN = /^\d{4}-\d{2}-\d{2}$/;

/** Whether a text is a day of the calendar as lists are asked for it, by HTTP and on the command line: YYYY-MM-DD. */
export function isDay(text: string): boolean {
  return DAY_PATTERN.test(text) && DateTime.fromISO(text, { zone: 'utc' }).isValid;
}

/** Reads a day as lists are asked for it, YYYY-MM-DD. Gifts accept more notations: see gift-date.ts. */
export function readDay(value: unknown): Reading<string> {
  return typeof value === 'string' && isDay(value) ? read(value) : fault('must be a day as YYYY-MM-DD');
}

/** What {@link readDay} accepts. */
export const DAY_SCHEMA: JsonSchema = { type: 'string', format: 'date', pattern: DAY_PATTERN.source };
