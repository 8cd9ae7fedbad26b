import { DateTime } from 'luxon';
import type { JsonSchema } from '../document/json-schema.js';
import { fault, read, type Reading } from './reading.js';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Reads a day as lists are asked for it, YYYY-MM-DD. Gifts take more notations: see the contributions' gift-date. */
export function readDay(value: unknown): Reading<string> {
  const isDay = typeof value === 'string' && DAY.test(value) && DateTime.fromISO(value, { zone: 'utc' }).isValid;
  return isDay ? read(value) : fault('must be a day as YYYY-MM-DD');
}

/** What {@link readDay} accepts. */
export const DAY_SCHEMA: JsonSchema = { type: 'string', format: 'date', pattern: DAY.source };
