import type { Type } from '@nestjs/common';
import type { Church } from '../config/index.js';
import { type AnswerProperty, fieldsOf, isListOf, propertiesOf, schemaOfField } from '../http/index.js';
import type { ParameterObject } from './openapi.js';
import { type JsonSchema, orNull } from '../values/index.js';

/** Collects the schemas of request and answer classes, by the names of the classes. */
export class Schemas {
  private readonly found = new Map<string, { readonly type: Type; readonly schema: JsonSchema }>();

  constructor(private readonly church: Church) {}

  /** The schema of a request class. It allows unknown fields, because they are ignored. */
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

  /** The query parameters of a request class. They are not nullable, because blank values are refused. */
  parameters(type: Type): ParameterObject[] {
    return fieldsOf(type).map(({ name, required }) => {
      const { description = '', ...schema } = schemaOfField(type, name, this.church);
      return { name, in: 'query', required, description, schema: withoutNull(schema) };
    });
  }

  /** The schema of an answer class. */
  answer(type: Type): JsonSchema {
    return this.named(type, () => {
      const properties = propertiesOf(type);
      if (properties.length === 0) throw new Error(`${type.name} has no @Property`);
      return {
        type: 'object',
        properties: Object.fromEntries(properties.map((property) => [property.name, this.property(property)])),
        required: properties.flatMap(({ name, optional }) => (optional === true ? [] : [name])),
      };
    });
  }

  /** All schemas that were requested, by name. */
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
      // Reserves its place first, so that a class comes before the classes of its properties.
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

/** An example of an answer class, from the examples of its properties. */
export function exampleOf(type: Type): Record<string, unknown> {
  return Object.fromEntries(
    propertiesOf(type).map(({ name, is, examples }) => {
      if (isListOf(is)) return [name, [exampleOf(is.type)]];
      return [name, typeof is === 'function' ? exampleOf(is) : examples?.[0]];
    }),
  );
}
