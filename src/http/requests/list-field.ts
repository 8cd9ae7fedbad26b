import type { Type } from '@nestjs/common';
import type { Church } from '../../config/index.js';
import { fault, type JsonSchema, read, type Reading } from '../../values/index.js';
import type { FieldReader } from './field.js';
import { foldFieldName } from './read-json.js';
import { fieldsOf, readFields } from './read-fields.js';

/**
 * A list of 1 to `max` objects, each of which is read by a request class. The values are plain objects with their fields in
 * the order of the class, so that equal lists have equal JSON.
 */
export function listOfObjects<T extends object>(request: Type<T>, max: number): FieldReader<readonly T[]> {
  const names = fieldsOf(request).map(({ name }) => name as keyof T);
  const readList = (value: unknown, church: Church, now: Date): Reading<readonly T[]> => {
    if (!Array.isArray(value) || value.length < 1 || value.length > max || !value.every(isObject))
      return fault(`must be a list of 1 to ${max} objects`);
    const items = value.map((item) => ({
      ...readFields(request, item, church, now),
      isRepeating: hasFieldTwice(item),
    }));
    const faults = items.flatMap((item, index) => [
      ...item.faults.map(({ field, message }) => `number ${index + 1}: ${field} ${message}`),
      ...(item.isRepeating ? [`number ${index + 1} has one field twice`] : []),
    ]);
    if (faults.length > 0) return fault(`has an invalid object: ${faults.join(', ')}`);
    return read(items.map(({ instance }) => Object.fromEntries(names.map((name) => [name, instance[name]])) as T));
  };
  return Object.assign(readList, { schema: () => listSchema(max), itemsAre: request, acceptsObjects: true });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether two names are equal but for letter case. JSON.parse keeps both of them. */
function hasFieldTwice(object: Record<string, unknown>): boolean {
  const names = Object.keys(object).map(foldFieldName);
  return new Set(names).size < names.length;
}

/** The API document adds the schema of the items. */
function listSchema(max: number): JsonSchema {
  return { type: 'array', minItems: 1, maxItems: max };
}
