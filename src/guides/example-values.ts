import type { Church } from '../config/index.js';

/** The address of the church in the examples of docs/. */
export const EXAMPLE_ADDRESS = 'https://giving.example.org';

/** Addresses that are safe in HTML, and in a line that a reader pastes into a shell. A request may have sent any host. */
const SAFE_ADDRESS = /^https?:\/\/[\w.:[\]-]+(\/[\w.~/-]*)?$/;

/** Amounts of a currency with two decimals, as a value of JSON, of a program or of a query. */
const AMOUNTS = /(?<=["'=])(\d+)\.(\d\d)(?=["'&\s]|$)/g;

/**
 * Replaces the address of the example church in a page. Parts of an address that a shell or HTML would interpret are not
 * written: then the example's address stays.
 */
export function withAddress(html: string, address: string | undefined): string {
  if (address === undefined || !SAFE_ADDRESS.test(address)) return html;
  return html.replaceAll(EXAMPLE_ADDRESS, address);
}

/**
 * Replaces the values of the example church in code: currency, time zone and country. If the church's currency has no
 * decimals, amounts lose their point ("25.50" becomes "2550"), so that sums stay right and the calls are accepted.
 */
export function withValuesOf({ currency, timeZone, country, minorUnits }: Church, code: string): string {
  const own = code
    .replaceAll('"currency": "USD"', `"currency": "${currency}"`)
    .replaceAll('"timeZone": "UTC"', `"timeZone": "${timeZone}"`)
    .replaceAll('"country": "US"', `"country": "${country}"`);
  if (minorUnits > 0) return own;
  return own.replaceAll(AMOUNTS, (_amount, whole: string, cents: string) => String(BigInt(whole + cents)));
}
