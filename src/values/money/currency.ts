/** Decimals of every stored amount: the scale of the column `contribution.amount`. */
const STORED_DECIMALS = 2;

/** Decimals of a currency, of which an amount has at most {@link STORED_DECIMALS}. */
export type MinorUnits = 0 | 1 | 2;

/**
 * ISO 4217's exceptions to two decimals (list one, column "Minor unit"). Not Intl's: that follows what people use in
 * daily life (no decimals for COP or HUF), and changes with the ICU that Node was built with.
 */
const WITHOUT_DECIMALS = new Set('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '));
const WITH_MORE_DECIMALS = new Set('BHD CLF IQD JOD KWD LYD OMR TND UYW'.split(' '));

const IN_WORDS = ['no decimals', 'one decimal', 'two decimals'] as const;

/** "two decimals": the most that an amount can have. */
export const MOST_DECIMALS = IN_WORDS[STORED_DECIMALS];

/** A stored amount, or a sum of some, as answers have it: a regular expression. */
export const MONEY_PATTERN = `^-?[0-9]+([.][0-9]{1,${STORED_DECIMALS}})?$`;

/** A sum as callers send it to be compared: without leading zeros. A regular expression. */
export const SUM_PATTERN = `^-?(0|[1-9]\\d{0,11})(\\.\\d{1,${STORED_DECIMALS}})?$`;

/** Decimals of an ISO 4217 currency: 2 for USD, 0 for JPY; undefined for a currency with more than are stored. */
export function minorUnitsOf(currencyCode: string): MinorUnits | undefined {
  if (WITH_MORE_DECIMALS.has(currencyCode)) return undefined;
  return WITHOUT_DECIMALS.has(currencyCode) ? 0 : 2;
}

/** "at most two decimals", for messages. */
export function decimalsInWords(minorUnits: MinorUnits): string {
  return IN_WORDS[minorUnits];
}

/** Decimal text as the database has it: "10" and "10.0" are "10.00". */
export function storedAmount(amount: string): string {
  const [whole = '', decimals = ''] = amount.split('.');
  return `${whole}.${decimals.padEnd(STORED_DECIMALS, '0')}`;
}

/** A stored amount as people of this currency write it: "1000.00" is "1000" in yen. */
export function displayAmount(amount: string, currencyCode: string): string {
  return withDecimals(amount, minorUnitsOf(currencyCode) ?? STORED_DECIMALS);
}

/** A stored amount with so many decimals, unless that would drop a digit other than zero. */
export function withDecimals(amount: string, minorUnits: MinorUnits): string {
  const [whole = '', decimals = ''] = amount.split('.');
  const shown = decimals.slice(0, minorUnits).padEnd(minorUnits, '0');
  if (/[^0]/u.test(decimals.slice(minorUnits))) return amount;
  return shown === '' ? whole : `${whole}.${shown}`;
}
