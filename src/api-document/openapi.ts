import type { JsonSchema } from '../values/index.js';

/** The part of OpenAPI 3.1 that this document uses. */
export interface OpenApi {
  readonly openapi: '3.1.1';
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly summary: string;
    /** Markdown. */
    readonly description: string;
    readonly contact: { readonly name: string };
    readonly license: { readonly name: string; readonly identifier: string };
  };
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: Readonly<{
    schemas: Readonly<Record<string, JsonSchema>>;
    examples: Readonly<Record<string, ExampleObject>>;
    headers: Readonly<Record<string, HeaderObject>>;
    securitySchemes: Readonly<Record<string, object>>;
  }>;
}

/** One method of one path. */
export interface OperationObject {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly ParameterObject[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, ResponseObject>>;
}

export interface ParameterObject {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
}

export interface ResponseObject {
  readonly description: string;
  readonly headers: Readonly<Record<string, Ref>>;
  readonly content: Content;
}

interface HeaderObject {
  readonly description: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
}

interface ExampleObject {
  readonly summary?: string;
  readonly value: unknown;
}

interface Ref {
  readonly $ref: string;
}

export type Content = Readonly<
  Record<string, { readonly schema: JsonSchema; readonly examples?: Readonly<Record<string, ExampleObject | Ref>> }>
>;
