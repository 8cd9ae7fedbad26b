import type { Type } from '@nestjs/common';
import { ClassTransformOptions, Transform } from 'class-transformer';
import { ValidateBy, type ValidationArguments, type ValidatorConstraintInterface } from 'class-validator';
import { Church } from '../../config/index.js';
import {
  type FieldDescription,
  isAbsent,
  isFault,
  type JsonSchema,
  type Leniency,
  read,
  type Reading,
} from '../../values/index.js';

/**
 * Converts the sent value of one field, or returns a fault that says what is accepted. Not called for absent values.
 */
export interface FieldReader<T> {
  (value: unknown, church: Church, now: Date): Reading<T>;
  /** The form that clients should send, for the API document. The document describes white space and blank text in words. */
  readonly schema: (church: Church) => JsonSchema;
  /** What it accepts besides that form (ADR 60); undefined if nothing. */
  readonly leniency?: Leniency | ((church: Church) => Leniency);
  /** If it reads a list of objects: the request class of each. */
  readonly itemsAre?: Type;
  /** True if it accepts objects or lists. */
  readonly acceptsObjects?: boolean;
  /** True if an invalid value is the value of the property: see {@link keepingFault}. */
  readonly keepsFault?: boolean;
}

/** A reader with the schema of what it accepts. They are declared together so that they stay the same. */
export function fieldReader<T>(
  schema: JsonSchema | FieldReader<T>['schema'],
  read: (value: unknown, church: Church, now: Date) => Reading<T>,
  leniency?: FieldReader<T>['leniency'],
): FieldReader<T> {
  return Object.assign((value: unknown, church: Church, now: Date) => read(value, church, now), {
    schema: typeof schema === 'function' ? schema : () => schema,
    ...(leniency !== undefined && { leniency }),
  });
}

/**
 * A field that earlier releases ignored. An invalid value does not make the request invalid: the property has its fault. A
 * call that such a release accepted, and that is repeated now, must get its first answer (ADR 28). The use case refuses
 * all other requests with a fault.
 */
export function keepingFault<T>(field: FieldReader<T>): FieldReader<Reading<T>> {
  return Object.assign((...sent: Parameters<FieldReader<T>>) => read(field(...sent)), {
    schema: field.schema,
    ...(field.leniency !== undefined && { leniency: field.leniency }),
    ...(field.itemsAre !== undefined && { itemsAre: field.itemsAre }),
    acceptsObjects: true,
    keepsFault: true,
  });
}

/** Options that {@link RequestReader} passes to `plainToInstance`, for the readers. */
export interface FieldOptions extends ClassTransformOptions {
  readonly church: Church;
  /** The time of the database's clock. */
  readonly now: Date;
  /** The objects and lists in fields that accept them. They are kept from class-transformer, which would convert them. */
  readonly objects: ReadonlyMap<string, object>;
}

/** The value of a request's property between conversion and validation, which reports it. */
class InvalidValue {
  constructor(readonly message: string) {}
}

/** The name of the validation rule for required fields. */
export const REQUIRED = 'required';

/** The names of the validation rules of this file's decorators. */
const OWN_RULES = new Set<string>();

const ABOUT = Symbol('description of a field');
const READER = Symbol('reader of a field');

/** A field that must be sent. Null and blank text count as missing. */
export function RequiredField<T>(reader: FieldReader<T>, about: FieldDescription): PropertyDecorator {
  return field(reader, about, true);
}

/** A field that may be missing. Null and blank text count as missing, and leave the property undefined. */
export function OptionalField<T>(reader: FieldReader<T>, about: FieldDescription): PropertyDecorator {
  return field(reader, about, false);
}

/** How a field of a request class is described. */
export function descriptionOfField(request: Type, name: string): FieldDescription {
  return Reflect.getMetadata(ABOUT, request.prototype as object, name) as FieldDescription;
}

/** What the reader of a field accepts besides the form that clients should send; undefined if nothing. */
export function leniencyOf({ leniency }: FieldReader<unknown>, church: Church): Leniency | undefined {
  return typeof leniency === 'function' ? leniency(church) : leniency;
}

/** The reader of a field of a request class. */
export function readerOf(request: Type, name: string): FieldReader<unknown> {
  return Reflect.getMetadata(READER, request.prototype as object, name) as FieldReader<unknown>;
}

/** Makes an optional field required if the field `other` is sent. */
export function RequiredWith(other: string): PropertyDecorator {
  return rule('requiredWith', {
    validate: (value, args) =>
      value !== undefined || (args?.object as Record<string, unknown> | undefined)?.[other] === undefined,
    defaultMessage: () => `is required with ${other}`,
  });
}

/** Whether a rule belongs to a decorator of this file, and not to one of class-validator. */
export function isOwnRule(name: string | undefined): boolean {
  return name !== undefined && OWN_RULES.has(name);
}

function rule(name: string, validator: ValidatorConstraintInterface): PropertyDecorator {
  OWN_RULES.add(name);
  return ValidateBy({ name, validator });
}

function field<T>(reader: FieldReader<T>, about: FieldDescription, required: boolean): PropertyDecorator {
  const transform = Transform(({ obj, key, options }) => {
    const { church, now, objects } = options as FieldOptions;
    const sent = objects.get(key) ?? (obj as Record<string, unknown>)[key];
    if (isAbsent(sent)) return undefined;
    const reading = reader(sent, church, now);
    return isFault(reading) ? new InvalidValue(reading.fault) : reading.value;
  });
  const validate = rule(required ? REQUIRED : 'optional', {
    validate: (value) => !(value instanceof InvalidValue) && !(required && value === undefined),
    defaultMessage: (args?: ValidationArguments) =>
      args?.value instanceof InvalidValue ? args.value.message : 'is required',
  });
  return (target, property) => {
    transform(target, property);
    validate(target, property);
    Reflect.defineMetadata(ABOUT, about, target, property);
    Reflect.defineMetadata(READER, reader, target, property);
  };
}
