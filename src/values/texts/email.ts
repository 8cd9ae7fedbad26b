import validator from 'validator';
import type { JsonSchema } from '../json-schema.js';
import { fault, isFault, type Reading } from '../reading.js';
import { readText, textSchema, withoutInvisible } from './text.js';

const RULE = { max: 254 };

/**
 * One e-mail address of at most 254 characters (RFC 5321, 4.5.3.1.3: a path of 256 with its angle brackets). It is kept
 * as sent, judged without its invisible characters.
 */
export function readEmail(value: unknown): Reading<string> {
  const text = readText(value, RULE);
  if (isFault(text)) return text;
  const visible = withoutInvisible(text.value);
  return isStandardEmail(visible) || isInUse(visible) ? text : fault('must be one e-mail address');
}

/** What {@link readEmail} accepts; it takes letters beyond ASCII as well. */
export const EMAIL_SCHEMA: JsonSchema = { ...textSchema(RULE), format: 'idn-email' };

/** Whether it is an e-mail address as RFC 5321 and RFC 6531 have it. Only such a one leads to a person, or gets mail. */
export function isStandardEmail(text: string): boolean {
  return validator.isEmail(text);
}

/**
 * Whether it is an address that the standard forbids and mail systems use all the same: full stops at the ends of the
 * local part or one after the other (Japanese mobile carriers gave them out), a local part of more than 64 octets (reply
 * addresses with a token), an underscore in the name of a host. Nothing else is excused.
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
