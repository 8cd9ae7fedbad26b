import type { JsonSchema, Leniency } from '../json-schema.js';
import { fault, isFault, read, type Reading } from '../reading.js';
import { trimText } from '../texts/text.js';
import { decimalsInWords, type MinorUnits, storedAmount, type StoredAmount } from './currency.js';

// An amount of at most 999999999.99 has at most nine digits before the point, so no arithmetic is needed.
const MAX_WHOLE_DIGITS = 9;
// Includes the typographic minus sign, because spreadsheets and word processors replace a hyphen with it.
const NEGATIVE = /^[-\u{2212}]\d/u;

const TAKE_BACK = 'to take a gift back, call ReverseContribution';

/** The accepted amounts in a currency with this many decimals. */
function pattern(minorUnits: MinorUnits): RegExp {
  return new RegExp(
    minorUnits === 0 ? '^(?<whole>\\d+)$' : `^(?<whole>\\d+)(?:\\.(?<fraction>\\d{1,${minorUnits}}))?$`,
    'u',
  );
}

const PATTERNS: Readonly<Record<MinorUnits, RegExp>> = { 0: pattern(0), 1: pattern(1), 2: pattern(2) };

/** @param signed whether a minus is accepted. */
function notation(minorUnits: MinorUnits, signed: boolean): string {
  if (minorUnits === 0) return 'must be digits only, such as 10: the currency has no decimals';
  const example = `10.${'5'.padEnd(minorUnits, '0')}`;
  return `must be digits with at most ${decimalsInWords(minorUnits)}, such as 10 or ${example}, without ${signed ? '' : 'sign, '}symbol or separator`;
}

function smallest(minorUnits: MinorUnits): string {
  return minorUnits === 0 ? '1' : `0.${'1'.padStart(minorUnits, '0')}`;
}

function largest(minorUnits: MinorUnits): string {
  const whole = '9'.repeat(MAX_WHOLE_DIGITS);
  return minorUnits === 0 ? whole : `${whole}.${'9'.repeat(minorUnits)}`;
}

/**
 * Reads an amount in the church's currency, from its smallest unit to 999999999.99. The value is decimal text as stored
 * ("10.00"), in every currency. No float arithmetic is done. A JSON number is read by its shortest decimal text.
 * @param ifNegative what the caller of a negative amount should know.
 */
export function readAmount(value: unknown, minorUnits: MinorUnits, ifNegative = TAKE_BACK): Reading<StoredAmount> {
  const amount = readAmountOrZero(value, minorUnits, `must be more than zero: ${ifNegative}`);
  return isFault(amount) || /[1-9]/u.test(amount.value) ? amount : fault(`must be at least ${smallest(minorUnits)}`);
}

/** Reads an amount as {@link readAmount} does, and accepts zero. @param negative the fault of a negative amount. */
export function readAmountOrZero(
  value: unknown,
  minorUnits: MinorUnits,
  negative = 'must not be negative',
): Reading<StoredAmount> {
  return readDigits(value, minorUnits, { negative, signed: false });
}

function readDigits(
  value: unknown,
  minorUnits: MinorUnits,
  { negative, signed }: { readonly negative: string; readonly signed: boolean },
): Reading<StoredAmount> {
  if (typeof value !== 'number' && typeof value !== 'string') return fault(notation(minorUnits, signed));
  // Trimming is enough: NFC never produces a digit or a point from another character.
  const text = trimText(String(value));
  if (NEGATIVE.test(text)) return fault(negative);
  const groups = PATTERNS[minorUnits].exec(text)?.groups;
  if (groups === undefined) return fault(notation(minorUnits, signed));
  const whole = (groups['whole'] ?? '').replace(/^0+(?=\d)/u, '');
  if (whole.length > MAX_WHOLE_DIGITS) return fault(`must be at most ${largest(minorUnits)}`);
  return read(storedAmount(`${whole}.${groups['fraction'] ?? ''}`));
}

/** Reads an amount that may be negative or zero, as {@link readAmountOrZero} does: "-10" is "-10.00". */
export function readSignedAmount(value: unknown, minorUnits: MinorUnits): Reading<StoredAmount> {
  const text = typeof value === 'number' || typeof value === 'string' ? trimText(String(value)) : value;
  const options = { negative: 'must not be negative', signed: true };
  if (typeof text !== 'string' || !NEGATIVE.test(text)) return readDigits(text, minorUnits, options);
  const amount = readDigits(text.slice(1), minorUnits, options);
  return isFault(amount) || !/[1-9]/u.test(amount.value) ? amount : read(`-${amount.value}` as StoredAmount);
}

/** An amount as clients should send it. The description of the field states the smallest one: a pattern would be hard to read. */
export function amountSchema(minorUnits: MinorUnits): JsonSchema {
  return canonicalSchema(minorUnits, '');
}

/** What {@link readAmount} accepts. */
export function amountLeniency(minorUnits: MinorUnits): Leniency {
  return lenient(minorUnits, { minimum: Number(smallest(minorUnits)) });
}

/** What {@link readAmountOrZero} accepts. */
export function amountOrZeroLeniency(minorUnits: MinorUnits): Leniency {
  return lenient(minorUnits, { minimum: 0 });
}

/** An amount that may be negative, as clients should send it. */
export function signedAmountSchema(minorUnits: MinorUnits): JsonSchema {
  return canonicalSchema(minorUnits, '-?');
}

/** What {@link readSignedAmount} accepts. */
export function signedAmountLeniency(minorUnits: MinorUnits): Leniency {
  const pattern = acceptedText(minorUnits).replace('^', '^[-\u2212]?');
  return lenient(minorUnits, { pattern, minimum: -Number(largest(minorUnits)) });
}

function canonicalSchema(minorUnits: MinorUnits, sign: '' | '-?'): JsonSchema {
  const decimals = minorUnits === 0 ? '' : `(\\.[0-9]{1,${minorUnits}})?`;
  return {
    type: 'string',
    minLength: 1,
    maxLength: largest(minorUnits).length + (sign === '' ? 0 : 1),
    pattern: `^${sign}(0|[1-9][0-9]{0,${MAX_WHOLE_DIGITS - 1}})${decimals}$`,
  };
}

function lenient(minorUnits: MinorUnits, limits: Pick<JsonSchema, 'minimum' | 'pattern'>): Leniency {
  return {
    // Minimum and maximum are those of a number; of a text, the description states them.
    schema: {
      type: ['string', 'number'],
      pattern: acceptedText(minorUnits),
      maximum: Number(largest(minorUnits)),
      ...limits,
    },
    words: 'A JSON number is accepted too, and read as its shortest decimal text.',
    isOfTypes: true,
  };
}

function acceptedText(minorUnits: MinorUnits): string {
  return PATTERNS[minorUnits].source.replaceAll(/\?<\w+>/g, '');
}
