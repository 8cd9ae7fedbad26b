import { foldColumn } from '../files/field-names.js';
import { isObject, type Mapping, type MappingObject, mappingOf } from '../files/mapping.js';
import type { Format } from './format.js';

/** The keys of a mapping of which single entries are replaced. Other keys are replaced as a whole. */
const MERGED: ReadonlySet<string> = new Set(['defaults', 'file']);

/**
 * The mapping of a format, with the keys of a mapping of the user in place of its own.
 * @throws ImportError for an invalid mapping.
 */
export function mappingOfFormat({ mapping, optional, otherNames }: Format, own: MappingObject = {}): Mapping {
  const ownNames = new Set(Object.keys(own).map(foldColumn));
  return {
    ...mappingOf(combined(mapping, own)),
    optional: new Set(optional.map(foldColumn).filter((name) => !ownNames.has(name))),
    otherNames: new Map(Object.entries(otherNames).map(([other, name]) => [foldColumn(other), foldColumn(name)])),
  };
}

function combined(format: MappingObject, own: MappingObject): MappingObject {
  const names = new Set(Object.keys(own).map(foldColumn));
  const fields = new Set(Object.values(own).map(fieldKey));
  const kept = Object.entries(format)
    .filter(([name]) => !names.has(foldColumn(name)))
    // The field comes from another column now.
    .map(([name, value]) => [name, !isSpecial(name, value) && fields.has(fieldKey(value)) ? null : value] as const);
  const merged = Object.entries(own).map(([name, value]) => {
    const theirs = format[name];
    const isMerged = MERGED.has(name) && isObject(value) && isObject(theirs);
    return [name, isMerged ? { ...theirs, ...value } : value] as const;
  });
  return Object.fromEntries([...kept, ...merged]);
}

/** Whether an entry of a mapping is a key of its own, and not a column. */
function isSpecial(name: string, value: unknown): boolean {
  return ['defaults', 'file', 'only', 'refunds'].includes(name) && isObject(value);
}

/** Equal for two entries that map their columns to the same field. */
function fieldKey(value: unknown): string {
  if (typeof value === 'string') return foldColumn(value);
  return isObject(value) && 'name' in value ? 'a whole name' : `no field ${typeof value}`;
}
