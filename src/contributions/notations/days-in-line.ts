import { isFault, readGiftDate, type SlashDates } from '../../values/index.js';
import { readCellDate } from './cell-date.js';

const DATES =
  /(?<![\p{L}\p{N}_./-])(?:\d{4}([-/.])\d{1,2}\1\d{1,2}|\d{1,2}([-/.])\d{1,2}\2\d{4}|\d{1,2}[. -]+\p{L}{3,9}\.?[ -]\d{4}|\p{L}{3,9}\.? \d{1,2},? \d{4})(?![\p{N}_/-])/gu;

/** Days in a line of text, and the line without its dates. */
export interface DaysOfLine {
  /** YYYY-MM-DD, in the order of the line. */
  readonly days: readonly string[];
  /** Spaces stand where dates were, readable or not. */
  readonly rest: string;
}

/** Finds the dates in a line of text. @param order of day and month; undefined if such dates are not read. */
export function takeDays(line: string, order: SlashDates | undefined): DaysOfLine {
  const days = [...line.matchAll(DATES)].flatMap(([date]) => {
    const read = readGiftDate(readCellDate({ date }, order, true), order);
    return isFault(read) || read.value.kind !== 'day' ? [] : [read.value.day];
  });
  return { days, rest: line.replaceAll(DATES, (date) => ' '.repeat(date.length)) };
}
