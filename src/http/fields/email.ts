import { isEmail } from 'class-validator';
import { fault, isFault, type Reading } from './reading.js';
import { readText } from './text.js';

/** One e-mail address of at most 254 characters (RFC 5321, 4.5.3.1.3: a path of 256 with its angle brackets). */
export function readEmail(value: unknown): Reading<string> {
  const text = readText(value, { max: 254 });
  return isFault(text) || isEmail(text.value) ? text : fault('must be one e-mail address');
}
