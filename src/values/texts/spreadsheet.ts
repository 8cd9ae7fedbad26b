import type { Options } from 'csv-stringify';

/**
 * The places where a spreadsheet may see a formula: the beginning of a text, and every place inside where it may begin a
 * new cell. A spreadsheet that separates by semicolons or tabs ignores a quotation mark in the middle of a cell, and so
 * also ends the cell at a comma or a line break (OWASP, "CSV Injection").
 */
const FORMULA = /(^|[;,\t\r\n])([\s"]*)([=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/gu;

/**
 * Puts an apostrophe in front of every formula, because most texts come from outside. A text that begins with a tab
 * or a line break gets one as well, because some spreadsheets drop these characters.
 */
export function guardFormulas(text: string): string {
  return text.replace(FORMULA, "$1$2'$3").replace(/^(?=[\t\r])/, "'");
}

/** Options for CSV that a spreadsheet opens correctly: line ends of RFC 4180, and no formulas. */
export const SPREADSHEET_CSV = {
  record_delimiter: 'windows',
  cast: { string: guardFormulas, boolean: String },
} satisfies Options;
