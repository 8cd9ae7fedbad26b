import type { MinorUnits } from '../../values/index.js';
import { type AmountNotation, readCellAmount } from './cell-amount.js';
import { currencyInHeader } from './header-currency.js';

/** An amount that was found in a line of text. */
export interface AmountInLine {
  /** Digits with a point, and a minus sign if it is negative: `-1234.56`. */
  readonly text: string;
  /** What the sign or code beside it may mean, ISO 4217; undefined if there is none. */
  readonly currencies: readonly string[] | undefined;
}

/** Spaces without break, and apostrophes, between thousands. */
const OTHER_SEPARATORS = /(?<=\d)['\u{2019}\u{A0}\u{202F}](?=\d{3}(?!\d))/gu;

/** Digits and separators. What is a part of a word, a time, a fraction or a percentage is left out. */
const NUMBERS =
  /(?<![\p{L}\p{N}_:/#%])(?<!\p{N}[.,]|[\p{L}_]\.)(?<![\p{L}\p{N}_][-\u{2212}\u{2013}])\d(?:[\d.,]*\d)?(?![\p{L}\p{N}_:/%])(?![-\u{2212}\u{2013}][\p{L}\p{N}])/gu;

/**
 * The last amount in a line of text. Numbers with all decimals of the currency come before whole ones, which may be a
 * reference. A minus stands directly at the number or at its currency; or the number is in brackets.
 * @returns nothing if no number is written in this notation.
 */
export function lastAmountIn(line: string, notation: AmountNotation, decimals: MinorUnits): AmountInLine | undefined {
  const text = line.replaceAll(OTHER_SEPARATORS, '');
  const numbers = [...text.matchAll(NUMBERS)].flatMap(({ 0: written, index }) => {
    const [number, at] = lastOfCells(written, index, notation, decimals);
    const read = readCellAmount(number, notation, '')?.text;
    return read === undefined ? [] : [{ read, number, at, decimals: read.split('.')[1]?.length ?? 0 }];
  });
  const last =
    numbers.findLast((number) => number.decimals === decimals) ?? numbers.findLast((number) => number.decimals === 0);
  return last && withSign(last.read, text.slice(0, last.at), text.slice(last.at + last.number.length));
}

/** Of amounts with all decimals in cells that commas separate, such as "800.00,5000.00", the last one with its place. */
function lastOfCells(
  written: string,
  index: number,
  notation: AmountNotation,
  decimals: MinorUnits,
): readonly [number: string, index: number] {
  const cells = written.split(',');
  const areAmounts = cells.every((cell) => /^\d+\.\d+$/u.test(cell) && cell.split('.')[1]?.length === decimals);
  if (notation !== '1,234.56' || !areAmounts) return [written, index];
  const last = cells.at(-1) ?? written;
  return [last, index + written.length - last.length];
}

const MINUS = '[-\\u2212\\u2013]';
const CURRENCY = '(?:\\p{Lu}{0,2}\\p{Sc}|(?<![\\p{L}\\p{N}])\\p{Lu}{3}(?![\\p{L}\\p{N}]))';
const BEFORE = new RegExp(
  `(?<outer>\\(|(?<![\\p{L}\\p{N}])${MINUS})?(?:(?<currency>${CURRENCY}) ?)?(?<inner>${MINUS})?$`,
  'u',
);
const AFTER = new RegExp(
  `^(?:(?<minus>${MINUS})|(?= ?(?:${CURRENCY})?\\)))?(?: ?(?<currency>${CURRENCY}))?(?<bracket>\\))?`,
  'u',
);

function withSign(number: string, before: string, after: string): AmountInLine | undefined {
  const { outer = '', inner = '', currency: left } = BEFORE.exec(before)?.groups ?? {};
  const { minus = '', bracket = '', currency: right } = AFTER.exec(after)?.groups ?? {};
  const isInBrackets = outer === '(' && bracket === ')';
  const minuses = [outer.replace('(', ''), inner, minus].filter((sign) => sign !== '').length;
  // Two signs, or brackets around a sign, have no clear meaning.
  if (minuses + Number(isInBrackets) > 1) return undefined;
  const beside = [left, right].filter((text) => text !== undefined).join(' ');
  return {
    text: `${minuses > 0 || isInBrackets ? '-' : ''}${number}`,
    currencies: beside === '' ? undefined : currencyInHeader(beside)?.currencies,
  };
}
