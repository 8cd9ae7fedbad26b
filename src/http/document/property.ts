import type { Type } from '@nestjs/common';
import { type FieldDescription, type JsonSchema, MAX_INTEGER } from '../../values/index.js';

const PROPERTIES = Symbol('properties of an answer');

/** A property of an answer: a schema, or another answer class. */
export interface AnswerProperty {
  readonly name: string;
  readonly description: string;
  /** Missing for an answer class, whose properties have their own. */
  readonly examples?: readonly unknown[];
  readonly is: JsonSchema | Type | ListOf;
  readonly nullable?: boolean;
  /** True if the property may be missing. */
  readonly optional?: boolean;
}

/** A list of objects of an answer class. */
class ListOf {
  constructor(
    readonly type: Type,
    readonly max: number,
  ) {}
}

/**
 * In {@link Property}: a list of objects of an answer class.
 * @param max how many at most; without it, one for each row of a table.
 */
export function listOf(type: Type, max = MAX_INTEGER): ListOf {
  return new ListOf(type, max);
}

type Options = Pick<AnswerProperty, 'nullable' | 'optional'>;

/** Adds a property of an answer class to the API document. The decorator does not change the answer. */
export function Property(is: JsonSchema, about: FieldDescription & Options): PropertyDecorator;
export function Property(is: Type | ListOf, about: Pick<FieldDescription, 'description'> & Options): PropertyDecorator;
export function Property(is: AnswerProperty['is'], about: Omit<AnswerProperty, 'name' | 'is'>): PropertyDecorator {
  return (target, name) => {
    const own = (Reflect.getOwnMetadata(PROPERTIES, target) ?? []) as readonly AnswerProperty[];
    Reflect.defineMetadata(PROPERTIES, [...own, { ...about, name: String(name), is }], target);
  };
}

/** The properties of an answer class, inherited ones first. */
export function propertiesOf(type: Type): readonly AnswerProperty[] {
  const own = (target: object): readonly AnswerProperty[] =>
    (Reflect.getOwnMetadata(PROPERTIES, target) ?? []) as readonly AnswerProperty[];
  const inherited = (target: object | null): AnswerProperty[] =>
    target === null ? [] : [...inherited(Reflect.getPrototypeOf(target)), ...own(target)];
  return inherited(type.prototype as object);
}

/** Whether a property is a list of objects of an answer class. */
export function isListOf(is: AnswerProperty['is']): is is ListOf {
  return is instanceof ListOf;
}
