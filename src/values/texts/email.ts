import validator from 'validator';
import type { JsonSchema } from '../json-schema.js';
import { fault, isFault, type Reading } from '../reading.js';
import { readText, textSchema, withoutInvisible } from './text.js';

const RULE = { max: 254 };

/**
 * Reads one e-mail address of at most 254 characters (RFC 5321, 4.5.3.1.3: a path of 256 with its angle brackets). The
 * value is the address as sent. It is validated without its invisible characters.
 */
export function readEmail(value: unknown): Reading<string> {
  const text = readText(value, RULE);
  if (isFault(text)) return text;
  const visible = withoutInvisible(text.value);
  return isStandardEmail(visible) || isInUse(visible) ? text : fault('must be one e-mail address');
}

/** What {@link readEmail} accepts, which includes letters beyond ASCII. */
export const EMAIL_SCHEMA: JsonSchema = { ...textSchema(RULE), format: 'idn-email' };

/** True for an e-mail address that RFC 5321 and RFC 6531 allow. Only such an address is used for matching and for mail. */
export function isStandardEmail(text: string): boolean {
  return validator.isEmail(text);
}

/**
 * True for an address that the standard forbids although mail systems use it: full stops at the ends of the local part
 * or in a row (Japanese mobile carriers assigned them), a local part of more than 64 octets (reply addresses with a
 * token), an underscore in a host name. No other violation is accepted.
 */
function isInUse(text: string): boolean {
  const at = text.lastIndexOf('@');
  const atoms = text.slice(0, at).split('.').filter(Boolean);
  return (
    at > 0 &&
    atoms.length > 0 &&
    atoms.every(
      (atom) => !atom.startsWith('"') && validator.isEmail(`${atom}@example.org`, { ignore_max_length: true }),
    ) &&
    validator.isEmail(`x@${text.slice(at + 1)}`, { allow_underscores: true })
  );
}
