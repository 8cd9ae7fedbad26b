import { ClassTransformOptions, Transform } from 'class-transformer';
import { ValidateBy, ValidationArguments } from 'class-validator';
import { Church } from '../../config/index.js';
import { isFault, type Reading } from './reading.js';
import { isAbsent } from './text.js';

/** Turns what was sent for one field into its value, or says what is accepted. Absent values never reach it. */
export type FieldReader<T> = (value: unknown, church: Church) => Reading<T>;

/** What the body pipe hands to `plainToInstance`, so that readers know the church's zone, country and currency. */
export interface FieldOptions extends ClassTransformOptions {
  readonly church: Church;
}

/** Stands in a request's property until validation reports it. */
class InvalidValue {
  constructor(readonly message: string) {}
}

/** The name of the rule that a field must be sent. */
export const REQUIRED = 'required';

/** A field that must be sent. Null and blank text count as missing. */
export function RequiredField<T>(read: FieldReader<T>): PropertyDecorator {
  return field(read, true);
}

/** A field that may be left out; null and blank text count as left out, and leave the property undefined. */
export function OptionalField<T>(read: FieldReader<T>): PropertyDecorator {
  return field(read, false);
}

/** For an optional field: it must be sent where the named other one is. */
export function RequiredWith(other: string): PropertyDecorator {
  return ValidateBy({
    name: 'requiredWith',
    validator: {
      validate: (value, args) =>
        value !== undefined || (args?.object as Record<string, unknown> | undefined)?.[other] === undefined,
      defaultMessage: () => `is required with ${other}`,
    },
  });
}

function field<T>(read: FieldReader<T>, required: boolean): PropertyDecorator {
  const transform = Transform(({ obj, key, options }) => {
    const sent = (obj as Record<string, unknown>)[key];
    if (isAbsent(sent)) return undefined;
    const reading = read(sent, (options as FieldOptions).church);
    return isFault(reading) ? new InvalidValue(reading.fault) : reading.value;
  });
  const validate = ValidateBy({
    name: required ? REQUIRED : 'optional',
    validator: {
      validate: (value) => !(value instanceof InvalidValue) && !(required && value === undefined),
      defaultMessage: (args?: ValidationArguments) =>
        args?.value instanceof InvalidValue ? args.value.message : 'is required',
    },
  });
  return (target, property) => {
    transform(target, property);
    validate(target, property);
  };
}
