import { foldColumn } from '../files/field-names.js';
import { isObject, type Mapping, type MappingObject, mappingOf, SPECIAL_KEYS } from '../files/mapping.js';
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

function combined(whole: MappingObject, own: MappingObject): MappingObject {
  const format = withoutReplaced(whole, own);
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

/**
 * A format without what no longer applies. If the user names the values of gifts and none to leave out, all others are left out.
 * A value that the user names has the meaning that the user gives it.
 */
function withoutReplaced(format: MappingObject, own: MappingObject): MappingObject {
  const ownOnly = namedColumns(own['only']);
  return Object.fromEntries(
    Object.entries(format).flatMap(([key, value]): [string, unknown][] => {
      if (key === 'leaveOut' && 'only' in own) return [];
      const columns = isObject(value) ? (Object.entries(value) as [string, unknown][]) : [];
      if (key === 'lost')
        return [[key, Object.fromEntries(columns.filter(([name]) => ownOnly?.has(foldColumn(name)) ?? true))]];
      const others = { only: ['leaveOut'], refunds: ['leaveOut'], leaveOut: ['refunds'] }[key];
      if (others === undefined) return [[key, value]];
      const named = others.map((other) => own[other]);
      return [[key, Object.fromEntries(columns.map(([name, values]) => [name, without(values, named, name)]))]];
    }),
  );
}

function namedColumns(condition: unknown): ReadonlySet<string> | undefined {
  return isObject(condition) ? new Set(Object.keys(condition).map(foldColumn)) : undefined;
}

/** The values of a column without those that the conditions name. */
function without(values: unknown, conditions: readonly unknown[], column: string): unknown {
  const named = conditions.flatMap((condition) =>
    isObject(condition) ? (Object.entries(condition) as [string, unknown][]) : [],
  );
  const own = named.flatMap(([name, list]) =>
    foldColumn(name) === foldColumn(column) && Array.isArray(list)
      ? list.map((value) => foldColumn(String(value)))
      : [],
  );
  return Array.isArray(values) ? values.filter((value) => !own.includes(foldColumn(String(value)))) : values;
}

/** Whether an entry of a mapping is a key of its own, and not a column. */
function isSpecial(name: string, value: unknown): boolean {
  return SPECIAL_KEYS.includes(name) && isObject(value);
}

/** Equal for two entries that map their columns to the same field. */
function fieldKey(value: unknown): string {
  if (typeof value === 'string') return foldColumn(value);
  return isObject(value) && 'name' in value ? 'a whole name' : `no field ${typeof value}`;
}
