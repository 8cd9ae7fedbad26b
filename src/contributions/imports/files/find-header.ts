import { delimiterOf } from './csv-rows.js';
import { foldColumn } from './field-names.js';

/** So many lines may be above the table for the names of the columns to be found. */
const MAX_LINES_ABOVE = 40;
/** So many known names make a line the one with the names of the columns. */
const ENOUGH_NAMES = 3;

/**
 * The number of lines above the names of the columns, by the names that are known; undefined if no line has enough.
 * @param beginning of the file's text.
 * @param isKnown whether a name, folded, is that of a column.
 */
export function linesAboveHeader(beginning: string, isKnown: (name: string) => boolean): number | undefined {
  const lines = beginning.split(/\r\n|\r|\n/).slice(0, MAX_LINES_ABOVE + 1);
  const known = lines.map((line) => namesIn(line).filter(isKnown).length);
  const best = known.reduce((most, count, index) => (count > (known[most] ?? 0) ? index : most), 0);
  return (known[best] ?? 0) < ENOUGH_NAMES ? undefined : best;
}

function namesIn(line: string): string[] {
  return line.split(delimiterOf(line)).map((cell) => foldColumn(cell.replace(/^\s*"|"\s*$/g, '')));
}
