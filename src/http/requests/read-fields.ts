import type { Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validateSync } from 'class-validator';
import type { Church } from '../../config/index.js';
import { isFault, type Reading } from '../../values/index.js';
import type { FieldFault } from '../problems/errors.js';
import { type FieldOptions, readerOf, REQUIRED } from './field.js';
import { foldFieldName } from './read-json.js';

/**
 * Replaces objects and lists, because class-transformer would convert their contents: it calls their member `constructor`,
 * for example.
 */
const OBJECT_OR_LIST = Symbol('object or list');

/** The result of {@link readFields}. The instance may be used only if there are no faults. */
export interface ReadFields<T> {
  readonly instance: T;
  readonly faults: readonly FieldFault[];
  /** The faults that the instance has kept, as {@link keepingFault} says. */
  readonly kept: readonly FieldFault[];
}

/**
 * Converts fields to a request class. Reads names in any letter case, and ignores unknown fields.
 * @param now the time of the database's clock.
 */
export function readFields<T extends object>(
  request: Type<T>,
  fields: Readonly<Record<string, unknown>>,
  church: Church,
  now: Date,
): ReadFields<T> {
  // ignoreDecorators ignores Expose and Exclude, which no request class has, but not Transform.
  const { known, objects } = knownFields(request, fields);
  const options: FieldOptions = { church, now, objects, ignoreDecorators: true };
  const instance = plainToInstance(request, known, options);
  const order = knownFieldsOf(request).map(({ name }) => name);
  const errors = validateSync(instance, { validationError: { target: false, value: false } });
  errors.sort((one, other) => order.indexOf(one.property) - order.indexOf(other.property));
  const faults: FieldFault[] = errors.flatMap(({ property, constraints }): FieldFault[] =>
    Object.values(constraints ?? {}).map((message) => ({ field: property, message })),
  );
  faults.push(...faultsOfIgnored(request, fields, instance));
  const kept = knownFieldsOf(request).flatMap(({ name, keepsFault }): FieldFault[] => {
    const reading = keepsFault ? (instance as Record<string, Reading<unknown> | undefined>)[name] : undefined;
    return reading !== undefined && isFault(reading) ? [{ field: name, message: reading.fault }] : [];
  });
  return { instance, faults, kept };
}

const STRICT = Symbol('whether a request class accepts no other fields');

/**
 * A request class whose body must not have anything that would be ignored: an unknown name, or a blank value. For calls of
 * which a field changes how much money is moved.
 * @param except fields that may be blank.
 */
export function IgnoresNothing(...except: readonly string[]): ClassDecorator {
  return (request) => {
    Reflect.defineMetadata(STRICT, except, request);
  };
}

function faultsOfIgnored(request: Type, fields: Readonly<Record<string, unknown>>, instance: object): FieldFault[] {
  const mayBeBlank = Reflect.getMetadata(STRICT, request) as readonly string[] | undefined;
  if (mayBeBlank === undefined) return [];
  const spelling = spellingOf(request);
  const names = [...spelling.values()].map(({ name }) => name);
  return Object.keys(fields).flatMap((sent): FieldFault[] => {
    const field = spelling.get(foldFieldName(sent));
    if (field === undefined)
      return [
        {
          field: sent.slice(0, LONGEST_NAME_SHOWN),
          message: `is not a field of this call; it takes ${names.join(', ')}`,
        },
      ];
    const isBlank = (instance as Record<string, unknown>)[field.name] === undefined;
    const isIgnored = isBlank && !field.required && !mayBeBlank.includes(field.name);
    return isIgnored ? [{ field: field.name, message: 'must not be blank: leave it out instead' }] : [];
  });
}

/** Answers repeat unknown names, but at most so many characters of each. */
const LONGEST_NAME_SHOWN = 100;

/** The fields of the class, with the class's spelling of their names, and the objects and lists in those that accept them. */
function knownFields(
  request: Type,
  fields: Readonly<Record<string, unknown>>,
): { known: Record<string, unknown>; objects: Map<string, object> } {
  const known: Record<string, unknown> = {};
  const objects = new Map<string, object>();
  const spelling = spellingOf(request);
  for (const [sent, value] of Object.entries(fields)) {
    const field = spelling.get(foldFieldName(sent));
    if (field === undefined) continue;
    const isObject = typeof value === 'object' && value !== null;
    known[field.name] = isObject ? OBJECT_OR_LIST : value;
    if (isObject && field.acceptsObjects) objects.set(field.name, value);
    else objects.delete(field.name);
  }
  return { known, objects };
}

interface KnownField {
  readonly name: string;
  readonly required: boolean;
  readonly acceptsObjects: boolean;
  readonly keepsFault: boolean;
}

function knownFieldsOf(request: Type): readonly KnownField[] {
  return [...spellingOf(request).values()];
}

const spellings = new Map<Type, ReadonlyMap<string, KnownField>>();

function spellingOf(request: Type): ReadonlyMap<string, KnownField> {
  let spelling = spellings.get(request);
  if (spelling === undefined) {
    const fields = fieldsOf(request).map(({ name, required }) => {
      const { acceptsObjects = false, keepsFault = false } = readerOf(request, name);
      return { name, required, acceptsObjects, keepsFault };
    });
    spelling = new Map(fields.map((field) => [foldFieldName(field.name), field]));
    spellings.set(request, spelling);
  }
  return spelling;
}

/** A field of a request class. */
interface RequestField {
  /** As the class spells it. */
  readonly name: string;
  readonly required: boolean;
}

/** The fields of a request class, in the order of their declaration; those of its base class first. */
export function fieldsOf(request: Type): readonly RequestField[] {
  const all = getMetadataStorage().getTargetValidationMetadatas(request, '', false, false);
  const rules = [...all.filter(({ target }) => target !== request), ...all.filter(({ target }) => target === request)];
  const names = [...new Set(rules.map(({ propertyName }) => propertyName))];
  return names.map((name) => ({
    name,
    required: rules.some((rule) => rule.propertyName === name && rule.name === REQUIRED),
  }));
}
