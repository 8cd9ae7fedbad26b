import type { MappingObject } from '../files/mapping.js';

/** A built-in mapping for the export of a processor. */
export interface Format {
  /** As on the command line. */
  readonly name: string;
  readonly processor: string;
  /** Which of its exports it is, and where the processor offers it. */
  readonly export: string;
  /** Where the names of the columns are from. */
  readonly basedOn: string;
  /** In the form of a mapping file. It decides about every column of the export. */
  readonly mapping: MappingObject;
  /** Columns of the mapping that some exports lack. */
  readonly optional: readonly string[];
  /** Names that columns have in other versions of the export, and their names in the mapping. */
  readonly otherNames: Readonly<Record<string, string>>;
}

/** Columns that the mapping ignores. */
export function ignored(...names: readonly string[]): Readonly<Record<string, null>> {
  return Object.fromEntries(names.map((name) => [name, null]));
}
