import { normalizeText, storedAmount, sumOfAmounts } from '../../../values/index.js';

const DECIMAL = /^\d{1,9}(\.\d{1,2})?$/;

/** The exact sum of amounts as a file writes them. If one is invalid, the result is that one, which is refused. */
export function sumOfCells(amounts: readonly unknown[]): unknown {
  const texts = amounts.map((amount) => normalizeText(String(amount)));
  const invalid = texts.find((text) => !DECIMAL.test(text));
  if (invalid !== undefined) return invalid;
  const sum = sumOfAmounts(texts.map(storedAmount));
  // The currency may have no decimals.
  return texts.some((text) => text.includes('.')) ? sum : sum.replace(/\.00$/, '');
}
