/** Decimals of a currency that can be booked. */
export type MinorUnits = 0 | 1 | 2;

/**
 * ISO 4217's exceptions to two decimals (list one, column "Minor unit"). Not Intl's: that follows what people use in
 * daily life (no decimals for COP or HUF), and changes with the ICU that Node was built with.
 */
const WITHOUT_DECIMALS = new Set('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '));
const WITH_MORE_DECIMALS = new Set('BHD CLF IQD JOD KWD LYD OMR TND UYW'.split(' '));

/** Decimals of an ISO 4217 currency: 2 for USD, 0 for JPY; undefined for more than the two that are kept. */
export function minorUnitsOf(currencyCode: string): MinorUnits | undefined {
  if (WITH_MORE_DECIMALS.has(currencyCode)) return undefined;
  return WITHOUT_DECIMALS.has(currencyCode) ? 0 : 2;
}

/** A stored amount as people of this currency write it: "1000.00" is "1000" in yen. No digit that counts is dropped. */
export function displayAmount(amount: string, minorUnits: MinorUnits): string {
  const [whole = '', decimals = ''] = amount.split('.');
  const shown = decimals.slice(0, minorUnits);
  if (/[^0]/u.test(decimals.slice(minorUnits))) return amount;
  return shown === '' ? whole : `${whole}.${shown}`;
}
