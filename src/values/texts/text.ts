import type { JsonSchema, Leniency } from '../json-schema.js';
import { fault, read, type Reading } from '../reading.js';

/** A text field accepts at most `max` code points, and line breaks and tabs if `lineBreaks` is set. */
interface TextRule {
  readonly max: number;
  readonly lineBreaks?: boolean;
}

// U+FEFF is not White_Space, but String.prototype.trim removes it, and Windows puts it at the start of UTF-8 files.
const EDGE = /[\p{White_Space}\u{FEFF}]/u;
// U+2800 is the braille cell without dots: a symbol by category, but invisible.
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u{2800}]/gu;
const BLANK = /^[\p{White_Space}\p{Cf}\p{Default_Ignorable_Code_Point}\u{2800}]*$/u;
const CONTROL = /\p{Cc}/u;
const CONTROL_WITHIN_A_LINE = /[^\P{Cc}\t\n\r]/u;

// NFC composes a character from at most six UTF-16 units (a test checks all characters).
const UNITS_PER_COMPOSED_CHARACTER = 6;

/**
 * Removes Unicode white space and byte order marks at both ends. It uses a loop, because the time of the pattern `\s+$`
 * grows with the square of the white space inside the text.
 */
export function trimText(value: string): string {
  let start = 0;
  let end = value.length;
  while (start < end && EDGE.test(value.charAt(start))) start += 1;
  while (end > start && EDGE.test(value.charAt(end - 1))) end -= 1;
  return value.slice(start, end);
}

/** The text as it is stored: trimmed and in Unicode normalisation form C, so that texts that look equal are equal. */
export function normalizeText(value: string): string {
  return trimText(value).normalize('NFC');
}

/** The text without invisible characters, such as U+200B, U+FEFF and U+202D. Copying and pasting brings them along. */
export function withoutInvisible(value: string): string {
  return trimText(value.replace(INVISIBLE, ''));
}

/** True for an empty text, and for one of only white space and invisible characters such as U+200B. */
export function isBlank(text: string): boolean {
  return BLANK.test(text);
}

/** True for values that count as not sent: undefined, null, blank text. In a required field they are "missing". */
export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && isBlank(value));
}

/** Reads a text and normalises it. Blank texts pass; each field decides whether it accepts them: see {@link isAbsent}. */
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
  // NFC sorts combining marks in quadratic time, so a text that is much too long is refused before it.
  if (trimmed.length > rule.max * UNITS_PER_COMPOSED_CHARACTER) return tooLong;
  const text = trimmed.normalize('NFC');
  return isLongerThan(text, rule.max) ? tooLong : read(text);
}

/**
 * What {@link readText} accepts of a text that is not blank: blank ones count as missing. A schema cannot say that the
 * length is counted after normalisation.
 */
export function textSchema({ max }: TextRule): JsonSchema {
  return { type: 'string', minLength: 1, maxLength: max };
}

/** Reads a text that some senders send as a number (Phone, Zip): a JSON integer is read as its digits. */
export function readIntegerText(value: unknown, max: number): Reading<string> {
  if (typeof value !== 'number') {
    return typeof value === 'string' ? readText(value, { max }) : fault('must be text, or a whole number');
  }
  if (!Number.isSafeInteger(value) || value < 0) return fault('must be text, or a whole number that is not negative');
  return readText(String(value), { max });
}

/** What {@link readIntegerText} accepts besides {@link textSchema}. */
export function integerTextLeniency(max: number): Leniency {
  return {
    schema: { ...textSchema({ max }), type: ['string', 'integer'], minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
    words: 'A JSON integer is accepted too, and read as its digits.',
    isOfTypes: true,
  };
}

function isLongerThan(text: string, max: number): boolean {
  return text.length > max && Array.from(text).length > max;
}
