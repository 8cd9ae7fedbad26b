import { isEmail } from 'class-validator';
import type { JsonSchema } from '../document/json-schema.js';
import { fault, isFault, type Reading } from './reading.js';
import { readText, textSchema } from './text.js';

const RULE = { max: 254 };

/** One e-mail address of at most 254 characters (RFC 5321, 4.5.3.1.3: a path of 256 with its angle brackets). */
export function readEmail(value: unknown): Reading<string> {
  const text = readText(value, RULE);
  return isFault(text) || isEmail(text.value) ? text : fault('must be one e-mail address');
}

/** What {@link readEmail} accepts; it takes letters beyond ASCII as well. */
export const EMAIL_SCHEMA: JsonSchema = { ...textSchema(RULE), format: 'idn-email' };
