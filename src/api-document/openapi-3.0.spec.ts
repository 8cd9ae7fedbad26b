import { describe, expect, it } from '@jest/globals';
import type { JsonSchema } from '../values/index.js';
import type { OpenApi } from './openapi.js';
import { schema30, toOpenApi30 } from './openapi-3.0.js';

const REF = { $ref: '#/components/schemas/Gift' };

describe('a schema in OpenAPI 3.0.3', () => {
  it.each<[string, JsonSchema, object]>([
    ['text stays', { type: 'string', maxLength: 5 }, { type: 'string', maxLength: 5 }],
    ['null becomes nullable', { type: ['string', 'null'] }, { type: 'string', nullable: true }],
    [
      'a word or null',
      { type: ['string', 'null'], enum: ['a', null] },
      { type: 'string', nullable: true, enum: ['a', null] },
    ],
    ['a constant is the only word', { type: 'string', const: 'a' }, { type: 'string', enum: ['a'] }],
    ['the first example', { type: 'integer', examples: [1, 2] }, { type: 'integer', example: 1 }],
    [
      'an example of null',
      { type: ['string', 'null'], examples: [null] },
      { type: 'string', nullable: true, example: null },
    ],
    ['a reference stays', REF, REF],
    ['words beside a reference', { ...REF, description: 'A.' }, { description: 'A.', allOf: [REF] }],
    [
      'a reference or null',
      { anyOf: [REF, { type: 'null' }], description: 'A.' },
      { type: 'object', nullable: true, description: 'A.', allOf: [REF] },
    ],
    [
      'what is inside',
      {
        type: 'array',
        items: { type: 'object', properties: { const: { type: ['integer', 'null'] } }, required: ['const'] },
      },
      {
        type: 'array',
        items: { type: 'object', properties: { const: { type: 'integer', nullable: true } }, required: ['const'] },
      },
    ],
    [
      'all of several',
      { allOf: [REF, { type: 'string', const: 'a' }] },
      { allOf: [REF, { type: 'string', enum: ['a'] }] },
    ],
  ])('%s', (_what, schema, expected) => {
    expect(schema30(schema)).toEqual(expected);
  });

  it.each<[string, JsonSchema]>([
    ['several types', { type: ['string', 'integer'] }],
    ['several types and null', { type: ['string', 'integer', 'null'] }],
    ['alternatives', { anyOf: [REF, { type: 'string' }] }],
  ])('does not exist for %s', (_what, schema) => {
    expect(() => schema30(schema)).toThrow(/OpenAPI 3\.0\.3/);
  });
});

it('a document in OpenAPI 3.0.3 has converted schemas everywhere, and unchanged examples', () => {
  const value = { schema: { type: ['string', 'null'] }, const: 1 };
  const document = {
    openapi: '3.1.1',
    info: {
      title: 'A',
      version: '1',
      summary: 'B',
      description: 'C',
      contact: { name: 'F' },
      license: { name: 'D', identifier: 'E' },
    },
    servers: [{ url: 'https://giving.example.org', description: 'E' }],
    tags: [],
    paths: {
      '/a': {
        post: {
          parameters: [{ name: 'schema', in: 'query', schema: { type: 'string', examples: ['x'] } }],
          requestBody: { content: { 'application/json': { schema: REF, examples: { one: { value } } } } },
        },
      },
    },
    components: {
      schemas: { schema: { type: 'object', properties: { examples: { type: 'string', const: 'y' } } } },
      headers: { H: { schema: { type: 'string', const: 'true' } } },
      examples: { two: { value } },
    },
  } as unknown as OpenApi;
  expect(toOpenApi30(document)).toEqual({
    openapi: '3.0.3',
    info: {
      title: 'A',
      version: '1',
      description: 'C',
      contact: { name: 'F' },
      license: { name: 'D', url: 'https://spdx.org/licenses/E.html' },
    },
    servers: [{ url: 'https://giving.example.org', description: 'E' }],
    tags: [],
    paths: {
      '/a': {
        post: {
          parameters: [{ name: 'schema', in: 'query', schema: { type: 'string', example: 'x' } }],
          requestBody: { content: { 'application/json': { schema: REF, examples: { one: { value } } } } },
        },
      },
    },
    components: {
      schemas: { schema: { type: 'object', properties: { examples: { type: 'string', enum: ['y'] } } } },
      headers: { H: { schema: { type: 'string', enum: ['true'] } } },
      examples: { two: { value } },
    },
  });
});
