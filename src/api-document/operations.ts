import type { Type } from '@nestjs/common';
import { accessOf, scopesOf } from '../auth/index.js';
import {
  CSV_FILE,
  documentedParameters,
  isBodyOptional,
  type OperationDescription,
  type Parameter,
  parametersOf,
  takesFile,
} from '../http/index.js';
import { failureResponses, failuresOf } from './failures.js';
import type { Content, OperationObject, ParameterObject, ResponseObject } from './openapi.js';
import type { DocumentedRoute } from './routes.js';
import { exampleOf, type Schemas } from './schemas.js';

/** The OpenAPI operation of a route. */
export function operationObject(route: DocumentedRoute, schemas: Schemas): OperationObject {
  const { operation, body } = route;
  const access = accessOf(route.handler, route.controller);
  const parameters = [
    ...parametersOfRoute(route).map((parameter) => parameterObject(parameter, operation.parts)),
    ...(route.query === undefined ? [] : schemas.parameters(route.query)),
  ];
  const scopes = scopesOf(route.handler) ?? [];
  const description = [
    operation.description,
    ...(access === 'public' ? [] : [rolesSentence(access), scopesSentence(scopes)]),
  ];
  return {
    operationId: operation.id,
    tags: [operation.group.name],
    summary: operation.summary,
    description: description.filter((part) => part !== undefined).join('\n\n'),
    security: access === 'public' ? [] : [{ basic: [] }, ...(scopes.length > 0 ? [{ bearer: [] }] : [])],
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && {
      requestBody: { required: !isBodyOptional(route), content: requestContent(body, operation, schemas) },
    }),
    ...(takesFile(route.handler) && {
      requestBody: { required: true, content: { [CSV_FILE]: { schema: { type: 'string' } } } },
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

function scopesSentence(scopes: readonly string[]): string {
  if (scopes.length === 0) return 'Tokens may not make this call.';
  return `Scope of a token: ${scopes.map((scope) => `\`${scope}\``).join(' or ')}.`;
}

function parametersOfRoute({ pipes, handler }: DocumentedRoute): Parameter[] {
  return [...pipes.flatMap(parametersOf), ...documentedParameters(handler).parameters];
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

function answerContent(answer: Type | readonly Type[], schemas: Schemas): Content {
  const types: readonly Type[] = typeof answer === 'function' ? [answer] : answer;
  const anyOf = types.map((type) => schemas.answer(type));
  return {
    'application/json': {
      schema: anyOf.length === 1 ? { ...anyOf[0] } : { anyOf },
      examples: Object.fromEntries(types.map((type) => [type.name, { value: exampleOf(type) }])),
    },
  };
}
