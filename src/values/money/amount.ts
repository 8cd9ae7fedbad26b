import type { JsonSchema } from '../json-schema.js';
import { fault, read, type Reading } from '../reading.js';
import { trimText } from '../texts/text.js';
import type { MinorUnits } from './currency.js';

// An amount of at most 999999999.99 is one of at most nine digits before the point: no arithmetic needed.
const MAX_WHOLE_DIGITS = 9;
// The minus sign of typographers counts too: it is what spreadsheets and word processors turn a hyphen into.
const NEGATIVE = /^[-\u{2212}]\d/u;

const PATTERN: Record<MinorUnits, RegExp> = {
  0: /^(?<whole>\d+)$/u,
  1: /^(?<whole>\d+)(?:\.(?<fraction>\d))?$/u,
  2: /^(?<whole>\d+)(?:\.(?<fraction>\d{1,2}))?$/u,
};
const NOTATION: Record<MinorUnits, string> = {
  0: 'must be digits only, such as 10: the currency has no decimals',
  1: 'must be digits with at most one decimal, such as 10 or 10.5, without sign, symbol or separator',
  2: 'must be digits with at most two decimals, such as 10 or 10.50, without sign, symbol or separator',
};
const SMALLEST: Record<MinorUnits, string> = { 0: '1', 1: '0.1', 2: '0.01' };
const LARGEST: Record<MinorUnits, string> = { 0: '999999999', 1: '999999999.9', 2: '999999999.99' };

/**
 * Reads an amount in the church's currency, from its smallest unit to 999999999.99, into decimal text with exactly two
 * decimals ("10.00", the text form of numeric(14,2)) whatever the currency. No float touches it but the one that
 * JSON's parser made, and that one is judged by its shortest decimal text.
 */
export function readAmount(value: unknown, minorUnits: MinorUnits): Reading<string> {
  if (typeof value !== 'number' && typeof value !== 'string') return fault(NOTATION[minorUnits]);
  // Trimming is enough: NFC makes no digit and no point out of anything else.
  const text = trimText(String(value));
  if (NEGATIVE.test(text)) return fault('must be more than zero: to take a gift back, call ReverseContribution');
  const groups = PATTERN[minorUnits].exec(text)?.groups;
  if (groups === undefined) return fault(NOTATION[minorUnits]);
  const whole = (groups['whole'] ?? '').replace(/^0+(?=\d)/u, '');
  const amount = `${whole}.${(groups['fraction'] ?? '').padEnd(2, '0')}`;
  if (amount === '0.00') return fault(`must be at least ${SMALLEST[minorUnits]}`);
  if (whole.length > MAX_WHOLE_DIGITS) return fault(`must be at most ${LARGEST[minorUnits]}`);
  return read(amount);
}

/** What {@link readAmount} accepts; of text, its bounds are said in words. */
export function amountSchema(minorUnits: MinorUnits): JsonSchema {
  return {
    type: ['string', 'number'],
    pattern: PATTERN[minorUnits].source.replaceAll(/\?<\w+>/g, ''),
    minimum: Number(SMALLEST[minorUnits]),
    maximum: Number(LARGEST[minorUnits]),
  };
}
