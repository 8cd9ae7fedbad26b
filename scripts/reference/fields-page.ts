import type { OpenApi, OperationObject, ParameterObject } from '../../src/api-document/openapi.js';
import type { JsonSchema } from '../../src/values/index.js';
import { type Call, callsOf, codesOf, commonCodes } from './calls.js';
import { code, page, table } from './markdown.js';
import { link, schemaText } from './schema-text.js';

const INTRODUCTION = `
This page lists every call of the API with its parameters, fields, answers and errors. It is made from the same source
as \`/openapi.json\`, \`/openapi-3.0.json\` and the page \`/docs\` of every installation, where you can try the calls. The limits of amounts and
the order of dates are those of a church with the default settings (US dollars, United States).

How to use the calls, with programs to copy, is in [Integrating](../integrating.md).
`.trim();

/** docs/reference/fields.md: every operation and every field. */
export function fieldsPage(document: OpenApi): string {
  const calls = callsOf(document);
  const common = commonCodes(document);
  const text = page('Calls and fields', INTRODUCTION, [
    '## Rules for every call',
    document.info.description,
    ...document.tags.flatMap(({ name, description }) => [
      `## ${name}`,
      description,
      ...calls
        .filter(({ operation }) => operation.tags.includes(name))
        .flatMap((call) => callSection(call, document, common)),
    ]),
    '## Objects',
    ...objectSections(document),
    ...errorSection(common),
  ]);
  // The fields of a body are in the section of its call.
  return [...callsOfBodies(document)].reduce((all, [body, id]) => all.replaceAll(anchor(body), anchor(id)), text);
}

function anchor(name: string): string {
  return `(#${name.toLowerCase()})`;
}

/** The names of bodies, each with the first call that has it. */
function callsOfBodies(document: OpenApi): Map<string, string> {
  const bodies = callsOf(document).flatMap(({ operation }) => {
    const name = bodyOf(operation)?.split('/').at(-1);
    return name === undefined ? [] : [[name, operation.operationId] as const];
  });
  // Of several entries with one key, a map keeps the last.
  return new Map(bodies.reverse());
}

function bodyOf({ requestBody }: OperationObject): string | undefined {
  return requestBody?.content['application/json']?.schema.$ref;
}

function callSection({ method, path, operation }: Call, document: OpenApi, common: readonly string[]): string[] {
  const own = codesOf(operation).filter((name) => !common.includes(name));
  return [
    `### ${operation.operationId}`,
    `${code(`${method} ${path}`)} — ${operation.summary}.`,
    ...(operation.description ? [operation.description] : []),
    ...parameterTable(operation.parameters ?? []),
    ...bodySection(operation, document),
    `Answer: ${answerOf(operation)}.`,
    ...errorsLine(own, path),
  ];
}

function bodySection(operation: OperationObject, document: OpenApi): string[] {
  const body = bodyOf(operation);
  if (body === undefined) return [];
  const first = callsOfBodies(document).get(body.split('/').at(-1) ?? '');
  if (first !== undefined && first !== operation.operationId) return [`Fields of the body: those of ${link(first)}.`];
  return ['Fields of the body:', fieldTable(resolve(body, document))];
}

function parameterTable(parameters: readonly ParameterObject[]): string[] {
  if (parameters.length === 0) return [];
  const rows = parameters.map(({ name, in: place, required, schema, description }) => [
    code(name),
    place,
    required ? 'yes' : 'no',
    schemaText(schema),
    exampleOf(schema),
    description,
  ]);
  return ['Parameters:', table(['Parameter', 'In', 'Required', 'Type and limits', 'Example', 'Meaning'], rows)];
}

function fieldTable({ properties = {}, required = [] }: JsonSchema): string {
  const rows = Object.entries(properties).map(([name, schema]) => [
    code(name),
    required.includes(name) ? 'yes' : 'no',
    schemaText(schema),
    exampleOf(schema),
    schema.description ?? '',
  ]);
  return table(['Field', 'Required', 'Type and limits', 'Example', 'Meaning'], rows);
}

function exampleOf({ examples = [] }: JsonSchema): string {
  return examples.map(code).join(', ');
}

function answerOf({ responses }: OperationObject): string {
  return Object.entries(responses['200']?.content ?? {})
    .map(([type, { schema }]) => (type === 'application/json' ? schemaText(schema) : code(type)))
    .join(', ');
}

function errorsLine(own: readonly string[], path: string): string[] {
  const codes = own.map(code).join(', ');
  if (!path.startsWith('/Api/')) return [`Errors: ${codes}.`];
  return [
    own.length === 0
      ? 'Errors: those of [every call](#errors).'
      : `Errors: ${codes}, and those of [every call](#errors).`,
  ];
}

/** The objects of answers, and those within bodies. Bodies are described with their calls. */
function objectSections(document: OpenApi): string[] {
  const bodies = callsOfBodies(document);
  return Object.entries(document.components.schemas)
    .filter(([name]) => !bodies.has(name))
    .flatMap(([name, schema]) => [`### ${name}`, answerTable(name, schema)]);
}

function answerTable(name: string, { properties = {}, required = [] }: JsonSchema): string {
  const rows = Object.entries(properties).map(([field, schema]) => [
    code(field),
    required.includes(field) ? schemaText(schema) : `${schemaText(schema)}; may be missing`,
    exampleOf(schema),
    name === 'Problem' && field === 'code'
      ? 'The code, for programs: see [Errors](errors.md).'
      : (schema.description ?? ''),
  ]);
  return table(['Field', 'Type', 'Example', 'Meaning'], rows);
}

function errorSection(common: readonly string[]): string[] {
  return [
    '## Errors',
    `Every failure of the service is a ${link('Problem')}. Every call under \`/Api\` can end with ${common.map(code).join(', ')}.`,
    'What each code means: [Errors](errors.md). When to repeat a call: [Integrating](../integrating.md#when-to-repeat-a-call).',
  ];
}

function resolve(ref: string, { components }: OpenApi): JsonSchema {
  const schema = components.schemas[ref.split('/').at(-1) ?? ''];
  if (schema === undefined) throw new Error(`The document has no ${ref}`);
  return schema;
}
