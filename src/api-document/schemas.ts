import type { Type } from '@nestjs/common';
import type { Church } from '../config/index.js';
import {
  type AnswerProperty,
  descriptionOfField,
  fieldsOf,
  type FieldReader,
  isListOf,
  leniencyOf,
  propertiesOf,
  readerOf,
} from '../http/index.js';
import type { ParameterObject } from './openapi.js';
import { type JsonSchema, orNull } from '../values/index.js';

/**
 * What the schemas of requests say: the form that clients should send, or all that is accepted. The document has the first,
 * and other forms in words (ADR 60). Tests compare accepted requests with the second.
 */
export type RequestForm = 'canonical' | 'accepted';

/** Collects the schemas of request and answer classes, by the names of the classes. */
export class Schemas {
  private readonly found = new Map<string, { readonly type: Type; readonly schema: JsonSchema }>();

  constructor(
    private readonly church: Church,
    readonly form: RequestForm,
  ) {}

  /** The schema of a request class. It allows unknown fields, because most are ignored. */
  request(type: Type): JsonSchema {
    return this.named(type, () => {
      const fields = fieldsOf(type);
      const required = fields.flatMap((field) => (field.required ? [field.name] : []));
      return {
        type: 'object',
        properties: Object.fromEntries(fields.map(({ name }) => [name, this.field(type, name)])),
        // OpenAPI 3.0 forbids an empty list.
        ...(required.length > 0 && { required }),
      };
    });
  }

  /** The query parameters of a request class. */
  parameters(type: Type): ParameterObject[] {
    return fieldsOf(type).map(({ name, required }) => {
      const { description = '', ...schema } = this.field(type, name, true);
      return { name, in: 'query', required, description, schema };
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

  private field(type: Type, name: string, isParameter = false): JsonSchema {
    const reader = readerOf(type, name);
    const { description, examples } = descriptionOfField(type, name);
    const leniency = leniencyOf(reader, this.church);
    const saysWords = leniency !== undefined && !(isParameter && leniency.isOfTypes === true);
    return {
      ...(this.form === 'accepted' ? (leniency?.schema ?? this.canonical(reader)) : this.canonical(reader)),
      description: saysWords ? `${description} ${leniency.words}` : description,
      examples,
    };
  }

  private canonical({ schema, itemsAre }: FieldReader<unknown>): JsonSchema {
    const own = schema(this.church);
    return itemsAre === undefined ? own : { ...own, items: this.request(itemsAre) };
  }

  private property({ is, description, examples, nullable = false }: AnswerProperty): JsonSchema {
    const about = { description, ...(examples && { examples }) };
    if (isListOf(is)) return { type: 'array', maxItems: is.max, items: this.answer(is.type), ...about };
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

/** An example of an answer class, from the examples of its properties. */
export function exampleOf(type: Type): Record<string, unknown> {
  return Object.fromEntries(
    propertiesOf(type).map(({ name, is, examples }) => {
      if (isListOf(is)) return [name, [exampleOf(is.type)]];
      return [name, typeof is === 'function' ? exampleOf(is) : examples?.[0]];
    }),
  );
}
