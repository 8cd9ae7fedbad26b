import type { Type } from '@nestjs/common';
import { accessOf, scopeFor } from '../auth/index.js';
import {
  CSV_FILE,
  documentedParameters,
  isBodyOptional,
  MAX_FILE_MEGABYTES,
  type OperationDescription,
  type Parameter,
  parametersOf,
  takesFile,
} from '../http/index.js';
import type { JsonSchema } from '../values/index.js';
import { failureResponses, failuresOf } from './failures.js';
import type { Content, OperationObject, ParameterObject, ResponseObject } from './openapi.js';
import type { DocumentedRoute } from './routes.js';
import { exampleOf, type RequestForm, type Schemas } from './schemas.js';

/** The content of a file that is sent. */
const FILE: JsonSchema = { type: 'string', minLength: 1, maxLength: MAX_FILE_MEGABYTES * 1024 * 1024 };

/** The OpenAPI operation of a route. */
export function operationObject(route: DocumentedRoute, schemas: Schemas): OperationObject {
  const { operation, body } = route;
  const access = accessOf(route.handler, route.controller);
  const parameters = [
    ...parametersOfRoute(route, schemas.form).map((parameter) => parameterObject(parameter, operation.parts)),
    ...(route.query === undefined ? [] : schemas.parameters(route.query)),
  ];
  // Without a query: calls with a deprecated parameter may need another scope.
  const scope = scopeFor(route.handler, () => ({}));
  const description = [
    operation.description,
    ...(access === 'public' ? [] : [rolesSentence(access), scopeSentence(scope)]),
  ];
  return {
    operationId: operation.id,
    tags: [operation.group.name],
    summary: operation.summary,
    description: description.filter((part) => part !== undefined).join('\n\n'),
    security: access === 'public' ? [] : [{ basic: [] }, ...(scope === undefined ? [] : [{ bearer: [] }])],
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && {
      requestBody: { required: !isBodyOptional(route), content: requestContent(body, operation, schemas) },
    }),
    ...(takesFile(route.handler) && {
      requestBody: { required: true, content: { [CSV_FILE]: { schema: FILE } } },
    }),
    responses: {
      200: success(route, schemas),
      ...failureResponses(failuresOf(route), schemas),
    },
  };
}

function rolesSentence(sets: readonly (readonly string[])[]): string {
  const names = sets.map((roles) => roles.map((role) => `\`${role}\``).join(', '));
  return `Roles of the user: ${names.join('; or ')}.`;
}

function scopeSentence(scope: string | undefined): string {
  return scope === undefined ? 'Tokens may not make this call.' : `Scope of a token: \`${scope}\`.`;
}

function parametersOfRoute({ pipes, handler }: DocumentedRoute, form: RequestForm): Parameter[] {
  const parameters = [...pipes.flatMap(parametersOf), ...documentedParameters(handler).parameters];
  if (form === 'canonical') return parameters.filter(({ isDeprecated }) => isDeprecated !== true);
  return parameters.map((one) => ({ ...one, schema: one.leniency?.schema ?? one.schema }));
}

function parameterObject(parameter: Parameter, parts: OperationDescription['parts']): ParameterObject {
  const { name, in: place, schema, description, examples } = parameter;
  return {
    name,
    in: place,
    required: place === 'path',
    description: (place === 'path' ? parts?.[name] : undefined) ?? description,
    schema: { ...schema, examples },
  };
}

function requestContent(body: Type, { requests }: OperationDescription, schemas: Schemas): Content {
  const examples = Object.entries(requests ?? {}).map(
    ([summary, value]) => [key(summary), { summary, value }] as const,
  );
  return {
    'application/json': {
      schema: schemas.request(body),
      ...(examples.length > 0 && { examples: Object.fromEntries(examples) }),
    },
  };
}

/** Names of examples are keys of components, which must not have spaces. */
function key(summary: string): string {
  return summary.replaceAll(/\W+/g, '-');
}

function success({ operation: { answer }, handler }: DocumentedRoute, schemas: Schemas): ResponseObject {
  const replayable = documentedParameters(handler).parameters.some(({ name }) => name === 'Idempotency-Key');
  return {
    description: 'Done.',
    headers: {
      'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
      ...(replayable && { 'Idempotency-Replayed': { $ref: '#/components/headers/Idempotency-Replayed' } }),
    },
    content: typeof answer === 'string' ? { [answer]: { schema: { type: 'string' } } } : answerContent(answer, schemas),
  };
}

function answerContent(answer: Type, schemas: Schemas): Content {
  return {
    'application/json': { schema: schemas.answer(answer), examples: { [answer.name]: { value: exampleOf(answer) } } },
  };
}
