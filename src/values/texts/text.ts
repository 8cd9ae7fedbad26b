import type { JsonSchema } from '../json-schema.js';
import { fault, read, type Reading } from '../reading.js';

/** What a text field accepts: at most `max` code points, and line breaks and tabs if `lineBreaks` is set. */
interface TextRule {
  readonly max: number;
  readonly lineBreaks?: boolean;
}

// U+FEFF is no White_Space, but String.prototype.trim takes it for one, and it begins files saved as UTF-8 by Windows.
const EDGE = /[\p{White_Space}\u{FEFF}]/u;
// U+2800 is the braille cell without a dot: a symbol by category, nothing to the eye.
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u{2800}]/gu;
const BLANK = /^[\p{White_Space}\p{Cf}\p{Default_Ignorable_Code_Point}\u{2800}]*$/u;
const CONTROL = /\p{Cc}/u;
const CONTROL_WITHIN_A_LINE = /[^\P{Cc}\t\n\r]/u;

// No character that is left by NFC was put together from more than six UTF-16 units (a test counts them all).
const UNITS_PER_COMPOSED_CHARACTER = 6;

/**
 * The text without Unicode white space and byte order marks at its ends.
 *
 * A loop, because the pattern `\s+$` takes a time that grows with the square of the white space inside.
 */
export function trimText(value: string): string {
  let start = 0;
  let end = value.length;
  while (start < end && EDGE.test(value.charAt(start))) start += 1;
  while (end > start && EDGE.test(value.charAt(end - 1))) end -= 1;
  return value.slice(start, end);
}

/** The text as it is kept: trimmed, then in Unicode normalisation form C, so that equal looking texts are equal. */
export function normalizeText(value: string): string {
  return trimText(value).normalize('NFC');
}

/** The text without the characters that cannot be seen, which come along when it is copied: U+200B, U+FEFF, U+202D. */
export function withoutInvisible(value: string): string {
  return trimText(value.replace(INVISIBLE, ''));
}

/** True if the eye sees nothing: only white space and invisible characters such as U+200B, or no character at all. */
export function isBlank(text: string): boolean {
  return BLANK.test(text);
}

/** True for what counts as not sent: nothing, null, blank text. In a required field that is "missing". */
export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && isBlank(value));
}

/** Reads a text; the value is normalised. Whether a blank one is accepted is the field's own affair: see isAbsent. */
export function readText(value: unknown, rule: TextRule): Reading<string> {
  if (typeof value !== 'string') return fault('must be text');
  if (!value.isWellFormed()) return fault('must be valid Unicode, without half of a surrogate pair');
  const trimmed = trimText(value);
  if (rule.lineBreaks ? CONTROL_WITHIN_A_LINE.test(trimmed) : CONTROL.test(trimmed)) {
    return fault(
      rule.lineBreaks
        ? 'must not contain control characters other than line breaks and tabs'
        : 'must not contain control characters, line breaks or tabs',
    );
  }
  const tooLong = fault(`must be at most ${rule.max} characters long`);
  // Putting thousands of combining marks in order takes a time that grows with their square: look at the length first.
  if (trimmed.length > rule.max * UNITS_PER_COMPOSED_CHARACTER) return tooLong;
  const text = trimmed.normalize('NFC');
  return isLongerThan(text, rule.max) ? tooLong : read(text);
}

/** What {@link readText} accepts. A schema cannot say that the length is that of the text as it is kept. */
export function textSchema({ max }: TextRule): JsonSchema {
  return { type: 'string', maxLength: max };
}

/** Reads a text of which senders make a number, Phone and Zip: a JSON integer is taken as its digits. */
export function readIntegerText(value: unknown, max: number): Reading<string> {
  if (typeof value !== 'number') {
    return typeof value === 'string' ? readText(value, { max }) : fault('must be text, or a whole number');
  }
  if (!Number.isSafeInteger(value) || value < 0) return fault('must be text, or a whole number that is not negative');
  return readText(String(value), { max });
}

/** What {@link readIntegerText} accepts. */
export function integerTextSchema(max: number): JsonSchema {
  return { type: ['string', 'integer'], maxLength: max, minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
}

function isLongerThan(text: string, max: number): boolean {
  return text.length > max && Array.from(text).length > max;
}
