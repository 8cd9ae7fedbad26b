import type { AmountNotation } from './cell-amount.js';

/** How a country mostly writes amounts. @param country ISO 3166 alpha-2. */
export function notationOfCountry(country: string): AmountNotation {
  const { language } = new Intl.Locale('und', { region: country }).maximize();
  const parts = new Intl.NumberFormat(`${language}-${country}`, { numberingSystem: 'latn' }).formatToParts(0.5);
  return parts.some(({ type, value }) => type === 'decimal' && value === ',') ? '1.234,56' : '1,234.56';
}
