import { foldColumn } from '../files/field-names.js';
import type { Format } from '../formats/format.js';
import { mappingOfFormat } from '../formats/combine-mappings.js';
import { FORMATS } from '../formats/formats.js';

/** So many columns of a format must be there, apart from those that many exports have. */
const MIN_COLUMNS = 6;

/** The format all of whose necessary columns are in the header; of several, the one with most columns. */
export function fittingFormat(header: readonly string[]): Format | undefined {
  const names = new Set(header.map(foldColumn));
  const fitting = FORMATS.map((format) => ({ format, columns: columnsThere(format, names) }))
    .filter(({ columns }) => columns >= MIN_COLUMNS)
    .sort((a, b) => b.columns - a.columns);
  return fitting[0]?.format;
}

/** The number of columns of the format that are there; 0 if a necessary one is not. */
function columnsThere(format: Format, names: ReadonlySet<string>): number {
  const { columns, only, refunds, optional, otherNames } = mappingOfFormat(format);
  const others = (name: string): string[] => [...otherNames].flatMap(([other, own]) => (own === name ? [other] : []));
  const isThere = (name: string): boolean => names.has(name) || others(name).some((other) => names.has(other));
  const all = [...new Set([...columns.keys(), ...only.keys(), ...refunds.keys()])];
  const isComplete = all.every((name) => optional.has(name) || isThere(name));
  return isComplete ? all.filter(isThere).length : 0;
}
