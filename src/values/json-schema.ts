type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null';

/** The part of JSON Schema 2020-12 that this API needs. OpenAPI 3.1 uses JSON Schema unchanged. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: JsonType | readonly JsonType[];
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
}

/** What the OpenAPI document says about a field besides its schema. */
export interface FieldDescription {
  /** Sentences, in Markdown. */
  readonly description: string;
  /** One for each notation. The first one is shown first. */
  readonly examples: readonly [unknown, ...unknown[]];
}

/**
 * What a field accepts besides the form that clients should send (ADR 60). The API document has only that form as a schema,
 * because generated clients get the best types from it, and states the rest in words.
 */
export interface Leniency {
  /** All that is accepted, the form that clients should send included. */
  readonly schema: JsonSchema;
  /** The other forms, in sentences. */
  readonly words: string;
  /** True if the other forms are other types of JSON. In the address of a call everything is text. */
  readonly isOfTypes?: boolean;
}

/** The largest value of PostgreSQL's `integer`, the type of every id and number that is stored. */
export const MAX_INTEGER = 2_147_483_647;

/** A whole number from 0. */
export const COUNT: JsonSchema = { type: 'integer', format: 'int32', minimum: 0, maximum: MAX_INTEGER };

/** A text of an answer, of at most `max` characters. */
export function textUpTo(max: number): JsonSchema {
  return { type: 'string', maxLength: max };
}

/** A list of at most `max` items of an answer; without it, one for each row of a table, whose ids are integers. */
export function listUpTo(items: JsonSchema, max = MAX_INTEGER): JsonSchema {
  return { type: 'array', maxItems: max, items };
}

/** The same schema, which also accepts null. */
export function orNull(schema: JsonSchema): JsonSchema {
  if (schema.type === undefined) return { anyOf: [schema, { type: 'null' }] };
  return {
    ...schema,
    type: [schema.type, 'null' as const].flat(),
    ...(schema.enum && { enum: [...schema.enum, null] }),
  };
}

/** An instant, in UTC and to the millisecond. */
export const INSTANT: JsonSchema = {
  type: 'string',
  format: 'date-time',
  maxLength: '2026-07-26T05:00:00.000Z'.length,
};

/** A pattern of one of these words in any letter case. JSON Schema has no flag for it, so each letter is in both cases. */
export function anyCasePattern(words: readonly string[]): string {
  const letters = words.map((word) =>
    word.replaceAll(/[A-Za-z]/g, (letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`),
  );
  return `^(${letters.join('|')})$`;
}
