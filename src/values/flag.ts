import { anyCasePattern, type JsonSchema, type Leniency } from './json-schema.js';
import { fault, read, type Reading } from './reading.js';
import { trimText } from './texts/text.js';

/** Reads a boolean: JSON true or false, or the texts "true" and "false" in any letter case. */
export function readFlag(value: unknown): Reading<boolean> {
  if (typeof value === 'boolean') return read(value);
  // Not a pattern with the flags "iu": it would accept a long s (U+017F) as an s.
  const text = typeof value === 'string' ? trimText(value).toLowerCase() : undefined;
  if (text === 'true') return read(true);
  if (text === 'false') return read(false);
  return fault('must be true or false');
}

export const FLAG_SCHEMA: JsonSchema = { type: 'boolean' };

/** What {@link readFlag} accepts. */
export const FLAG_LENIENCY: Leniency = {
  schema: { type: ['boolean', 'string'], pattern: anyCasePattern(['true', 'false']) },
  words: 'The texts `true` and `false` are accepted too, in any letter case.',
};
