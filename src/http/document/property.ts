import type { Type } from '@nestjs/common';
import type { FieldDescription, JsonSchema } from '../../values/index.js';

const PROPERTIES = Symbol('properties of an answer');

/** A property of an answer: a schema, or another answer class. */
export interface AnswerProperty {
  readonly name: string;
  readonly description: string;
  /** Of a class, its own properties have them. */
  readonly examples?: readonly unknown[];
  readonly is: JsonSchema | Type | ListOf;
  readonly nullable?: boolean;
  /** Left out where there is nothing to tell. */
  readonly optional?: boolean;
}

/** Any number of a class. */
class ListOf {
  constructor(readonly type: Type) {}
}

/** In {@link Property}: any number of an answer class. */
export function listOf(type: Type): ListOf {
  return new ListOf(type);
}

type Options = Pick<AnswerProperty, 'nullable' | 'optional'>;

/** Puts a property of an answer class into the API's document. The decorator changes nothing of what is answered. */
export function Property(is: JsonSchema, about: FieldDescription & Options): PropertyDecorator;
export function Property(is: Type | ListOf, about: Pick<FieldDescription, 'description'> & Options): PropertyDecorator;
export function Property(is: AnswerProperty['is'], about: Omit<AnswerProperty, 'name' | 'is'>): PropertyDecorator {
  return (target, name) => {
    const own = (Reflect.getOwnMetadata(PROPERTIES, target) ?? []) as readonly AnswerProperty[];
    Reflect.defineMetadata(PROPERTIES, [...own, { ...about, name: String(name), is }], target);
  };
}

/** The properties of an answer class, those it inherits first. */
export function propertiesOf(type: Type): readonly AnswerProperty[] {
  const own = (target: object): readonly AnswerProperty[] =>
    (Reflect.getOwnMetadata(PROPERTIES, target) ?? []) as readonly AnswerProperty[];
  const inherited = (target: object | null): AnswerProperty[] =>
    target === null ? [] : [...inherited(Reflect.getPrototypeOf(target)), ...own(target)];
  return inherited(type.prototype as object);
}

/** Whether a property is any number of a class. */
export function isListOf(is: AnswerProperty['is']): is is ListOf {
  return is instanceof ListOf;
}
