import { isBlank } from '../../../../values/index.js';
import type { ProposedImport } from '../../checking/check-file.js';
import type { MappingObject } from '../../files/mapping.js';
import { storableText } from './storable-text.js';

/** What was found in an uploaded file, for the form of its mapping. */
export interface FoundTable {
  readonly columns: readonly FoundColumn[];
  /** The name of the built-in format whose columns the file has; null if there is none. */
  readonly format: string | null;
  /** The proposed mapping. With a format, only what it lacks. */
  readonly mapping: MappingObject;
  readonly remarks: readonly string[];
}

export interface FoundColumn {
  readonly name: string;
  /** The first values, without blank ones. */
  readonly examples: readonly string[];
  /** All values of the first rows, if they are few: a column of which a person can say what each value means. */
  readonly values: readonly string[];
}

const EXAMPLES = 3;
/** More characters are not needed to recognise what a column holds. */
const MAX_EXAMPLE = 60;
/** So many different values are hardly a status. */
const MAX_VALUES = 12;

/** What the form of the mapping shows. */
export function foundTable({ header, rows, format, mapping, remarks }: ProposedImport): FoundTable {
  const columns = header.map((name, index) => {
    const filled = rows.map((row) => row[index]?.trim() ?? '').filter((cell) => !isBlank(cell));
    const values = [...new Set(filled)];
    const isFew =
      values.length <= MAX_VALUES && values.every((value) => value.length <= MAX_EXAMPLE && !value.includes('\0'));
    return {
      name: name.trim(),
      examples: filled.slice(0, EXAMPLES).map((text) => storableText(text, MAX_EXAMPLE)),
      values: isFew ? values : [],
    };
  });
  return { columns, format: format?.name ?? null, mapping, remarks };
}
