import { DAY_PATTERN, isDay } from '../../config/index.js';
import type { JsonSchema } from '../document/json-schema.js';
import { fault, read, type Reading } from './reading.js';

/** Reads a day as lists are asked for it, YYYY-MM-DD. Gifts take more notations: see the contributions' gift-date. */
export function readDay(value: unknown): Reading<string> {
  return typeof value === 'string' && isDay(value) ? read(value) : fault('must be a day as YYYY-MM-DD');
}

/** What {@link readDay} accepts. */
export const DAY_SCHEMA: JsonSchema = { type: 'string', format: 'date', pattern: DAY_PATTERN.source };
