import type { Church } from '../../../../config/index.js';
import type { FileToInspect } from '../../files/inspect-file.js';
import { type Mapping, type MappingObject, mappingOf } from '../../files/mapping.js';
import { mappingOfFormat } from '../../formats/combine-mappings.js';
import { formatNamed } from '../../formats/formats.js';

/** How an uploaded file is imported: what the command line has as options. */
export interface ImportOptions {
  /** The user who adds the gifts. */
  readonly username: string;
  /** Of rows without a Source; null if a column or the format has it. */
  readonly source: string | null;
  /** A built-in format. */
  readonly format: string | null;
  /** With a format, what differs from it. */
  readonly mapping: MappingObject;
  /** Whether rows may lack e-mail and phone. */
  readonly withoutContacts: boolean;
}

/** The whole mapping. @throws ImportError if it is invalid. */
export function wholeMapping({ format, mapping }: Pick<ImportOptions, 'format' | 'mapping'>): Mapping {
  return format === null ? mappingOf(mapping) : mappingOfFormat(formatNamed(format), mapping);
}

/** The order to inspect the file. @throws ImportError if the mapping is invalid. */
export function inspectionOf(path: string, options: ImportOptions, church: Church): FileToInspect {
  const { source, withoutContacts } = options;
  return { path, mapping: wholeMapping(options), source: source ?? undefined, church, withoutContacts };
}
