import type { JsonSchema } from '../values/index.js';
import type { OpenApi } from './openapi.js';

/** A schema of OpenAPI 3.0.3: JSON Schema of 2016 with differences. */
export interface Schema30 {
  readonly type?: string;
  readonly nullable?: boolean;
  readonly example?: unknown;
  readonly enum?: readonly unknown[];
  readonly allOf?: readonly Schema30[];
  readonly [keyword: string]: unknown;
}

/** A document of OpenAPI 3.0.3. */
export interface OpenApi30 {
  readonly openapi: '3.0.3';
  readonly info: Readonly<Record<string, unknown>>;
  readonly paths: Readonly<Record<string, unknown>>;
  readonly components: Readonly<Record<string, unknown>>;
  readonly [keyword: string]: unknown;
}

/**
 * The same document in OpenAPI 3.0.3. Own code, because the packages that convert are command lines with a compiler of
 * their own, and this document uses few keywords (ADR 60). Outside of schemas the versions differ in `info` only.
 * @throws Error for a schema that OpenAPI 3.0 cannot express.
 */
export function toOpenApi30(document: OpenApi): OpenApi30 {
  const { paths, components, ...others } = withSchemas30(document) as Pick<OpenApi30, 'paths' | 'components'>;
  const { title, version, description, contact, license } = document.info;
  return {
    ...others,
    openapi: '3.0.3',
    info: { title, version, description, contact, license: license30(license) },
    paths,
    components,
  };
}

/** OpenAPI 3.0 has no identifiers of SPDX, but addresses. */
function license30({ name, identifier }: OpenApi['info']['license']): object {
  return { name, url: `https://spdx.org/licenses/${identifier}.html` };
}

/** Converts all schemas below: the values of `schema`, and those of `schemas`. */
function withSchemas30(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSchemas30);
  if (typeof value !== 'object' || value === null) return value;
  return mapValues(value, (inner, key) => {
    // The values of examples are not a part of the document.
    if (key === 'examples') return inner;
    if (key === 'schema') return schema30(inner as JsonSchema);
    if (key === 'schemas') return mapValues(inner as object, (one) => schema30(one as JsonSchema));
    return withSchemas30(inner);
  });
}

/** A schema of OpenAPI 3.1 in OpenAPI 3.0.3. */
export function schema30(schema: JsonSchema): Schema30 {
  const { $ref, type, const: only, examples, items, properties, anyOf, allOf, ...rest } = schema;
  const { nullable, ...types } = typeAndNull(type);
  const about = { ...rest, ...(examples !== undefined && { example: examples[0] }) };
  if ($ref !== undefined) return Object.keys(about).length === 0 ? { $ref } : { ...about, allOf: [{ $ref }] };
  const [object, ...others] = anyOf?.filter(({ type: alternative }) => alternative !== 'null') ?? [];
  if (object !== undefined) {
    if (others.length > 0) throw new Error('OpenAPI 3.0.3: alternatives other than null are not used');
    return { ...about, type: 'object', nullable: true, allOf: [schema30(object)] };
  }
  return {
    ...types,
    ...(nullable && { nullable }),
    ...about,
    ...(only !== undefined && { enum: [only] }),
    ...(items && { items: schema30(items) }),
    ...(properties && { properties: mapValues(properties, (one) => schema30(one as JsonSchema)) }),
    ...(allOf && { allOf: allOf.map(schema30) }),
  };
}

function typeAndNull(type: JsonSchema['type']): { readonly type?: string; readonly nullable: boolean } {
  const all = type === undefined ? [] : [type].flat();
  const [first, ...others] = all.filter((one) => one !== 'null');
  if (others.length > 0) throw new Error(`OpenAPI 3.0.3 has no schema of several types: ${all.join(', ')}`);
  return { ...(first !== undefined && { type: first }), nullable: all.includes('null') };
}

function mapValues(object: object, change: (value: unknown, key: string) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
}
