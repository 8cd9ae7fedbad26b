import { type Mapping, mappingOf, readMappingObject } from '../files/mapping.js';
import { mappingOfFormat } from './combine-mappings.js';
import { formatNamed } from './formats.js';

/** How the operator names a mapping: a built-in format, a file, or both. */
export interface MappingChoice {
  readonly format?: string | undefined;
  /** The content of a mapping file. Its keys replace those of the format. */
  readonly bytes?: Buffer | undefined;
}

/** @throws ImportError if there is no such format, or the mapping is invalid. */
export function chooseMapping({ format, bytes }: MappingChoice): Mapping {
  const own = bytes === undefined ? {} : readMappingObject(bytes);
  return format === undefined ? mappingOf(own) : mappingOfFormat(formatNamed(format), own);
}
