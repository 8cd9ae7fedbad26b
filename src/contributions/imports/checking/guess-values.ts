import { isBlank } from '../../../values/index.js';
import {
  AMOUNT_NOTATIONS,
  type AmountNotation,
  contradicts,
  type DateOrder,
  readCellAmount,
} from '../../notations/index.js';

/** What the cells of a column say about their notation. */
export type Guess<T> =
  | { readonly kind: 'certain'; readonly value: T }
  /** Nothing has to be said: the notation is that of AddContribution. */
  | { readonly kind: 'plain' }
  /** Several notations fit, or none. */
  | { readonly kind: 'unclear'; readonly example: string };

const PLAIN_AMOUNT = /^\s*-?\d+(\.\d{1,2})?\s*$/;

/** The notation of amounts. */
export function guessAmounts(cells: readonly string[], currency: string): Guess<AmountNotation> {
  const filled = cells.filter((cell) => !isBlank(cell));
  const other = filled.find((cell) => !PLAIN_AMOUNT.test(cell));
  if (other === undefined) return { kind: 'plain' };
  const fitting = AMOUNT_NOTATIONS.filter((notation) =>
    filled.every((cell) => readCellAmount(cell, notation, currency) !== undefined),
  );
  const [only, another] = fitting;
  if (only !== undefined && another === undefined) return { kind: 'certain', value: only };
  return { kind: 'unclear', example: other };
}

const DAY_MONTH = /^\s*\d{1,2}([./-])\d{1,2}\1\d{4}/;
const YEAR_FIRST = /^\s*\d{4}([./])\d{1,2}\1\d{1,2}/;

/** The order of dates. @param ofChurch the order in which the church reads dates with slashes. */
export function guessDates(cells: readonly string[], ofChurch: DateOrder | undefined): Guess<DateOrder> {
  const filled = cells.filter((cell) => !isBlank(cell));
  if (filled.some((cell) => YEAR_FIRST.test(cell))) return { kind: 'certain', value: 'Y-M-D' };
  const dates = filled.filter((cell) => DAY_MONTH.test(cell));
  const [example] = dates;
  if (example === undefined) return { kind: 'plain' };
  const isMonthFirst = dates.some((date) => contradicts(date, 'D/M/Y'));
  const isDayFirst = dates.some((date) => contradicts(date, 'M/D/Y'));
  if (isMonthFirst === isDayFirst) return { kind: 'unclear', example };
  const value = isMonthFirst ? 'M/D/Y' : 'D/M/Y';
  const hasSlashes = dates.every((date) => date.includes('/'));
  return value === ofChurch && hasSlashes ? { kind: 'plain' } : { kind: 'certain', value };
}

const RECORDED =
  /^(paid|success|succeeded|successful|completed?|settled|approved|captured|processed|deposited|cleared)$/i;
const TAKEN_BACK = /^((partially )?refund(ed)?|charged? ?back|reversed|returned|disputed|payment refund)$/i;

/** The values of a column that says whether a payment was successful. */
export interface StatusValues {
  readonly recorded: readonly string[];
  readonly takenBack: readonly string[];
  /** The values about which only a person can decide. They are left out. */
  readonly others: readonly string[];
}

/** So many different values are hardly a status. */
const MAX_VALUES = 15;

/** Sorts the values of a column by their meaning; undefined if it has too many, or none that means "paid". */
export function guessStatus(cells: readonly string[]): StatusValues | undefined {
  const values = [...new Set(cells.map((cell) => cell.trim()))];
  const recorded = values.filter((value) => RECORDED.test(value));
  if (values.length > MAX_VALUES || recorded.length === 0) return undefined;
  const takenBack = values.filter((value) => TAKEN_BACK.test(value));
  const others = values.filter((value) => !recorded.includes(value) && !takenBack.includes(value));
  return { recorded, takenBack, others };
}
