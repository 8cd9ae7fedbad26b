import type { Type } from '@nestjs/common';
import type { Church } from '../config/index.js';
import { type AnswerProperty, fieldsOf, isListOf, propertiesOf, schemaOfField } from '../http/index.js';
import type { ParameterObject } from './openapi.js';
import { type JsonSchema, orNull } from '../values/index.js';

/** The schemas of request and answer classes, each once and under the name of its class. */
export class Schemas {
  private readonly found = new Map<string, { readonly type: Type; readonly schema: JsonSchema }>();

  constructor(private readonly church: Church) {}

  /** What may be sent: fields that are not known are ignored, so that they are allowed. */
  request(type: Type): JsonSchema {
    return this.named(type, () => {
      const fields = fieldsOf(type);
      return {
        type: 'object',
        properties: Object.fromEntries(fields.map(({ name }) => [name, schemaOfField(type, name, this.church)])),
        required: fields.flatMap(({ name, required }) => (required ? [name] : [])),
      };
    });
  }

  /** What may stand behind the question mark: a blank one is refused, so that there is no null. */
  parameters(type: Type): ParameterObject[] {
    return fieldsOf(type).map(({ name, required }) => {
      const { description = '', ...schema } = schemaOfField(type, name, this.church);
      return { name, in: 'query', required, description, schema: withoutNull(schema) };
    });
  }

  /** What is answered. */
  answer(type: Type): JsonSchema {
    return this.named(type, () => {
      const properties = propertiesOf(type);
      if (properties.length === 0) throw new Error(`${type.name} has no @Property, so that nothing is known of it`);
      return {
        type: 'object',
        properties: Object.fromEntries(properties.map((property) => [property.name, this.property(property)])),
        required: properties.flatMap(({ name, optional }) => (optional === true ? [] : [name])),
      };
    });
  }

  /** All that were asked for, by name. */
  all(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.found].map(([name, { schema }]) => [name, schema]));
  }

  private property({ is, description, examples, nullable = false }: AnswerProperty): JsonSchema {
    const about = { description, ...(examples && { examples }) };
    if (isListOf(is)) return { type: 'array', items: this.answer(is.type), ...about };
    const schema = typeof is === 'function' ? this.answer(is) : is;
    return { ...(nullable ? orNull(schema) : schema), ...about };
  }

  private named(type: Type, make: () => JsonSchema): JsonSchema {
    const known = this.found.get(type.name);
    if (known !== undefined && known.type !== type) throw new Error(`There are two classes ${type.name}`);
    if (known === undefined) {
      // Its place is taken first, so that a class comes before those that it consists of.
      this.found.set(type.name, { type, schema: {} });
      this.found.set(type.name, { type, schema: make() });
    }
    return { $ref: `#/components/schemas/${type.name}` };
  }
}

function onlyOne<T>(values: readonly T[]): T | readonly T[] {
  const [first, ...others] = values;
  return first === undefined || others.length > 0 ? values : first;
}

function withoutNull({ type, enum: values, ...schema }: JsonSchema): JsonSchema {
  return {
    ...schema,
    ...(type !== undefined && { type: onlyOne([type].flat().filter((each) => each !== 'null')) }),
    ...(values !== undefined && { enum: values.filter((value) => value !== null) }),
  };
}

/** An object of an answer class, made of its properties' examples. */
export function exampleOf(type: Type): Record<string, unknown> {
  return Object.fromEntries(
    propertiesOf(type).map(({ name, is, examples }) => {
      if (isListOf(is)) return [name, [exampleOf(is.type)]];
      return [name, typeof is === 'function' ? exampleOf(is) : examples?.[0]];
    }),
  );
}
