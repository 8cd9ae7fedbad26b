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
export const INSTANT: JsonSchema = { type: 'string', format: 'date-time' };

/** A pattern of one of these words in any letter case. JSON Schema has no flag for it, so each letter is in both cases. */
export function anyCasePattern(words: readonly string[]): string {
  const letters = words.map((word) =>
    word.replaceAll(/[A-Za-z]/g, (letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`),
  );
  return `^(${letters.join('|')})$`;
}
