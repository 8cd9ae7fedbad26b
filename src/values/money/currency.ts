import type { JsonSchema } from '../json-schema.js';

/** Decimals of every stored amount: the scale of the column `contribution.amount`. */
export const STORED_DECIMALS = 2;

declare const IS_STORED: unique symbol;

/**
 * An amount, or a sum of amounts, as stored: decimal text with {@link STORED_DECIMALS} decimals in every currency, such as
 * "1000.00" also for yen. Arithmetic accepts nothing else, so that text for people ("1000") does not compile as money.
 */
export type StoredAmount = string & { readonly [IS_STORED]: true };

/** Decimals of a currency's amounts: at most {@link STORED_DECIMALS}. */
export type MinorUnits = 0 | 1 | 2;

/**
 * ISO 4217's exceptions to two decimals (list one, column "Minor unit"). Intl is not used: it follows daily practice (no
 * decimals for COP or HUF), and changes with the ICU version that Node was built with.
 */
const WITHOUT_DECIMALS = new Set('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '));
const WITH_MORE_DECIMALS = new Set('BHD CLF IQD JOD KWD LYD OMR TND UYW'.split(' '));

const IN_WORDS = ['no decimals', 'one decimal', 'two decimals'] as const;

/** The most decimals that an amount can have, in words: "two decimals". */
export const MAX_DECIMALS_IN_WORDS = IN_WORDS[STORED_DECIMALS];

/** The pattern of a stored amount, or of a sum of stored amounts, in answers. */
const MONEY_PATTERN = `^-?[0-9]+([.][0-9]{1,${STORED_DECIMALS}})?$`;

/** The longest sum of stored amounts: of as many of the largest ones as there can be entries, with a sign. */
const MAX_MONEY_LENGTH = '-2147483647000000000.00'.length;

/** An amount of an answer: decimal text with the decimals of its currency; negative for reversing entries. */
export const MONEY: JsonSchema = { type: 'string', maxLength: MAX_MONEY_LENGTH, pattern: MONEY_PATTERN };

/** The code of a currency. */
export const CURRENCY: JsonSchema = { type: 'string', minLength: 3, maxLength: 3, pattern: '^[A-Z]{3}$' };

/** The pattern of a sum that callers send for a comparison. It allows no leading zeros. */
export const SUM_PATTERN = `^-?(0|[1-9]\\d{0,11})(\\.\\d{1,${STORED_DECIMALS}})?$`;

/** A sum that callers send for a comparison. */
export const SUM_SCHEMA: JsonSchema = {
  type: 'string',
  minLength: 1,
  maxLength: '-999999999999.99'.length,
  pattern: SUM_PATTERN,
};

/** Decimals of an ISO 4217 currency: 2 for USD, 0 for JPY; undefined for a currency with more decimals than are stored. */
export function minorUnitsOf(currencyCode: string): MinorUnits | undefined {
  if (WITH_MORE_DECIMALS.has(currencyCode)) return undefined;
  return WITHOUT_DECIMALS.has(currencyCode) ? 0 : 2;
}

/** "at most two decimals", for messages. */
export function decimalsInWords(minorUnits: MinorUnits): string {
  return IN_WORDS[minorUnits];
}

/** Decimal text in the stored form: "10" and "10.0" become "10.00". */
export function storedAmount(amount: string): StoredAmount {
  const [whole = '', decimals = ''] = amount.split('.');
  return `${whole}.${decimals.padEnd(STORED_DECIMALS, '0')}` as StoredAmount;
}

/** A stored amount as it is written in this currency: "1000.00" is "1000" in yen. */
export function displayAmount(amount: string, currencyCode: string): string {
  return withDecimals(amount, minorUnitsOf(currencyCode) ?? STORED_DECIMALS);
}

/** A stored amount with this many decimals, or unchanged if that would drop a digit other than zero. */
export function withDecimals(amount: string, minorUnits: MinorUnits): string {
  const [whole = '', decimals = ''] = amount.split('.');
  const shown = decimals.slice(0, minorUnits).padEnd(minorUnits, '0');
  if (/[^0]/u.test(decimals.slice(minorUnits))) return amount;
  return shown === '' ? whole : `${whole}.${shown}`;
}
