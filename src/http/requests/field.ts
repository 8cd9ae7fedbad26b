import type { Type } from '@nestjs/common';
import { ClassTransformOptions, Transform } from 'class-transformer';
import { ValidateBy, type ValidationArguments, type ValidatorConstraintInterface } from 'class-validator';
import { Church } from '../../config/index.js';
import { type FieldDescription, isAbsent, isFault, type JsonSchema, orNull, type Reading } from '../../values/index.js';

/** Turns what was sent for one field into its value, or says what is accepted. Absent values never reach it. */
export interface FieldReader<T> {
  (value: unknown, church: Church, now: Date): Reading<T>;
  /** What it accepts, for the API's document; of white space and blank text the document tells in words. */
  readonly schema: (church: Church) => JsonSchema;
}

/** A reader with the schema of what it accepts, which stand side by side so that they cannot drift apart unseen. */
export function fieldReader<T>(
  schema: JsonSchema | FieldReader<T>['schema'],
  read: (value: unknown, church: Church, now: Date) => Reading<T>,
): FieldReader<T> {
  return Object.assign((value: unknown, church: Church, now: Date) => read(value, church, now), {
    schema: typeof schema === 'function' ? schema : () => schema,
  });
}

/** What {@link RequestReader} hands to `plainToInstance`, so that readers know the church's zone, country and currency, and the time. */
export interface FieldOptions extends ClassTransformOptions {
  readonly church: Church;
  /** By the database's clock. */
  readonly now: Date;
}

/** Stands in a request's property until validation reports it. */
class InvalidValue {
  constructor(readonly message: string) {}
}

/** The name of the rule that a field must be sent. */
export const REQUIRED = 'required';

/** Names of the rules that the decorators of this file make. */
const OWN_RULES = new Set<string>();

const SCHEMA = Symbol('schema of a field');

/** A field that must be sent. Null and blank text count as missing. */
export function RequiredField<T>(read: FieldReader<T>, about: FieldDescription): PropertyDecorator {
  return field(read, about, true);
}

/** A field that may be left out; null and blank text count as left out, and leave the property undefined. */
export function OptionalField<T>(read: FieldReader<T>, about: FieldDescription): PropertyDecorator {
  return field(read, about, false);
}

/** What a request class accepts in one of its fields, for the API's document. */
export function schemaOfField(request: Type, name: string, church: Church): JsonSchema {
  const schema = Reflect.getMetadata(SCHEMA, request.prototype as object, name) as (church: Church) => JsonSchema;
  return schema(church);
}

/** For an optional field: it must be sent where the named other one is. */
export function RequiredWith(other: string): PropertyDecorator {
  return rule('requiredWith', {
    validate: (value, args) =>
      value !== undefined || (args?.object as Record<string, unknown> | undefined)?.[other] === undefined,
    defaultMessage: () => `is required with ${other}`,
  });
}

/** Whether a rule is made by a decorator of this file; any other comes from one of class-validator's own. */
export function isOwnRule(name: string | undefined): boolean {
  return name !== undefined && OWN_RULES.has(name);
}

function rule(name: string, validator: ValidatorConstraintInterface): PropertyDecorator {
  OWN_RULES.add(name);
  return ValidateBy({ name, validator });
}

function field<T>(read: FieldReader<T>, about: FieldDescription, required: boolean): PropertyDecorator {
  const schema = (church: Church): JsonSchema => {
    const accepted = { ...read.schema(church), ...about };
    return required ? accepted : orNull(accepted);
  };
  const transform = Transform(({ obj, key, options }) => {
    const sent = (obj as Record<string, unknown>)[key];
    if (isAbsent(sent)) return undefined;
    const { church, now } = options as FieldOptions;
    const reading = read(sent, church, now);
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
    Reflect.defineMetadata(SCHEMA, schema, target, property);
  };
}
