import type { Options } from 'csv-stringify';

/**
 * What a spreadsheet may take for a formula: at the beginning of a cell, and where it may begin another one within a text.
 * One that takes semicolons or tabs for separators does not know a quotation mark in the middle of a cell, and ends it at
 * a comma or a line break, too (OWASP, "CSV Injection").
 */
const FORMULA = /(^|[;,\t\r\n])([\s"]*)([=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/gu;

/**
 * A text with an apostrophe in front of what would be taken for a formula, and of a tab or a line break at its beginning,
 * which some leave out: much of it is somebody else's.
 */
export function guardFormulas(text: string): string {
  return text.replace(FORMULA, "$1$2'$3").replace(/^(?=[\t\r])/, "'");
}

/** CSV as a spreadsheet opens it rightly: lines as RFC 4180 has them, and nothing in them is a formula. */
export const SPREADSHEET = {
  record_delimiter: 'windows',
  cast: { string: guardFormulas, boolean: String },
} satisfies Options;
