import { currencyInHeader } from './header-currency.js';
import { trimText } from '../../values/index.js';

/** How a file writes amounts: the separators of thousands and of decimals. */
export const AMOUNT_NOTATIONS = ['1,234.56', '1.234,56'] as const;

export type AmountNotation = (typeof AMOUNT_NOTATIONS)[number];

/** An amount as a file writes it. */
export interface CellAmount {
  /** Digits with a point, and a minus sign if it is negative: `-1234.56`. */
  readonly text: string;
  /** The currency beside the number, if it cannot be the church's: an ISO 4217 code. */
  readonly otherCurrency: string | undefined;
}

const NUMBERS: Readonly<Record<AmountNotation, RegExp>> = {
  '1,234.56': /^(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?$/,
  '1.234,56': /^(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,\d+)?$/,
};

const MINUS = '[-\\u2212\\u2013]';
const NUMBER = '\\d(?:[\\d.,]*\\d)?';
/** What may stand beside a number: signs and codes of currencies. */
const BESIDE = '[^\\d.,()\\u2212\\u2013-]{0,12}';
const AMOUNT = new RegExp(
  `^(?<before>${MINUS}?)(?<left>${BESIDE})(?<inner>${MINUS}?)\\s*(?<number>${NUMBER})\\s*(?<right>${BESIDE})(?<after>${MINUS}?)$`,
  'u',
);
const BRACKETS = /^\((?<inside>[^()]+)\)$/u;

/**
 * Reads an amount in the notation of the file. Signs and codes of currencies may stand beside it. Negative amounts have a
 * minus sign, or stand in brackets.
 * @param currency of the church, ISO 4217.
 * @returns nothing if it is not written in this way.
 */
export function readCellAmount(cell: string, notation: AmountNotation, currency: string): CellAmount | undefined {
  const text = trimText(cell);
  const inside = BRACKETS.exec(text)?.groups?.['inside'];
  const groups = AMOUNT.exec(trimText(inside ?? text))?.groups;
  if (groups === undefined) return undefined;
  const { before = '', left = '', inner = '', number = '', right = '', after = '' } = groups;
  const signs = `${before}${inner}${after}`;
  // Two signs, or brackets around a sign, have no clear meaning.
  if (signs.length + (inside === undefined ? 0 : 1) > 1 || !NUMBERS[notation].test(number)) return undefined;
  const beside = trimText(`${left} ${right}`);
  const currencies = beside === '' ? [currency] : currenciesOf(beside);
  if (currencies === undefined) return undefined;
  const digits = notation === '1,234.56' ? number.replaceAll(',', '') : number.replaceAll('.', '').replace(',', '.');
  return {
    text: `${signs === '' && inside === undefined ? '' : '-'}${digits}`,
    otherCurrency: currencies.includes(currency) ? undefined : currencies[0],
  };
}

function currenciesOf(beside: string): readonly string[] | undefined {
  return /^[a-z]{3}$/i.test(beside) ? [beside.toUpperCase()] : currencyInHeader(beside)?.currencies;
}

/** An amount without its minus sign. Files write a fee, or what was refunded, with one or without. */
export function withoutSign(amount: string): string {
  return trimText(amount).replace(/^[-\u{2212}](?=\d)/u, '');
}
