import type { ModulesContainer } from '@nestjs/core';
import { accessOf, TOO_MANY_REQUESTS, UNAUTHENTICATED } from '../auth/index.js';
import {
  DATABASE_UNAVAILABLE,
  documentedParameters,
  type ErrorKind,
  FORBIDDEN,
  INTERNAL_ERROR,
  INVALID_REQUEST,
  MALFORMED_JSON,
  METHOD_NOT_ALLOWED,
  NOT_FOUND,
  PAYLOAD_TOO_LARGE,
  Problem,
  problem,
  SERVICE_BUSY,
  takesFile,
  UNSUPPORTED_MEDIA_TYPE,
} from '../http/index.js';
import type { JsonSchema } from '../values/index.js';
import type { OpenApi, ResponseObject } from './openapi.js';
import { type DocumentedRoute, documentedRoutes } from './routes.js';
import type { Schemas } from './schemas.js';

const PROBLEM = 'application/problem+json';

/** Failures of every call with credentials: the database is read, and unknown query parameters are refused. */
const ACCESS_FAILURES = [
  INVALID_REQUEST,
  UNAUTHENTICATED,
  FORBIDDEN,
  TOO_MANY_REQUESTS,
  SERVICE_BUSY,
  DATABASE_UNAVAILABLE,
];
const BODY_FAILURES = [MALFORMED_JSON, PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE];
const FILE_FAILURES = [PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE];
/** Failures of calls that match no operation. */
const UNKNOWN_PATH_FAILURES = [NOT_FOUND, METHOD_NOT_ALLOWED];

/** The headers that these statuses require. */
const HEADERS: Readonly<Record<number, string>> = { 401: 'WWW-Authenticate', 429: 'Retry-After', 503: 'Retry-After' };

/** The failures of an operation, sorted by status: its own, and those of its access, parameters and body. */
export function failuresOf({ controller, handler, operation, pipes, body }: DocumentedRoute): ErrorKind[] {
  const { parameters, failures } = documentedParameters(handler);
  const readsSomething = pipes.length > 0 || parameters.length > 0 || body !== undefined;
  return byStatus([
    ...(accessOf(handler, controller) === 'public' ? [] : ACCESS_FAILURES),
    ...(readsSomething ? [INVALID_REQUEST] : []),
    ...(body === undefined ? [] : BODY_FAILURES),
    ...(takesFile(handler) ? FILE_FAILURES : []),
    ...failures,
    ...(operation.failures ?? []),
    INTERNAL_ERROR,
  ]);
}

/** The failures that each operation documents, by the operation's id. */
export function failuresByOperation(modules: ModulesContainer): ReadonlyMap<string, readonly ErrorKind[]> {
  return new Map(documentedRoutes(modules).map((route) => [route.operation.id, failuresOf(route)]));
}

/** All failures, sorted by status. @throws Error when two parts declare the same code. */
export function allFailures(routes: readonly DocumentedRoute[]): ErrorKind[] {
  const kinds = byStatus([...routes.flatMap(failuresOf), ...UNKNOWN_PATH_FAILURES]);
  const twice = kinds.find(({ code }, index) => kinds.findIndex((other) => other.code === code) !== index);
  if (twice !== undefined) throw new Error(`The error code "${twice.code}" is declared twice`);
  return kinds;
}

function byStatus(kinds: readonly ErrorKind[]): ErrorKind[] {
  return [...new Set(kinds)].sort((a, b) => a.status - b.status || a.code.localeCompare(b.code, 'en'));
}

/** The schema of a problem document's `code`, with the meaning of each code. */
export function codeSchema(kinds: readonly ErrorKind[], schema: JsonSchema): JsonSchema {
  const meanings = kinds.map(({ code, status, when }) => `\n- \`${code}\` (${status}): ${when}`);
  return {
    ...schema,
    enum: kinds.map(({ code }) => code),
    description: `${schema.description ?? ''} ${meanings.join('')}`,
  };
}

/** The answers of these failures, by status. */
export function failureResponses(kinds: readonly ErrorKind[], schemas: Schemas): Record<string, ResponseObject> {
  const statuses = [...new Set(kinds.map(({ status }) => status))];
  return Object.fromEntries(
    statuses.map((status) => {
      const ofStatus = kinds.filter((kind) => kind.status === status);
      return [status, failureResponse(ofStatus, status, schemas)];
    }),
  );
}

function failureResponse(kinds: readonly ErrorKind[], status: number, schemas: Schemas): ResponseObject {
  const header = HEADERS[status];
  const codes = kinds.map(({ code }) => code);
  return {
    description: kinds.map(({ code, when }) => `\`${code}\`: ${when}`).join('\n\n'),
    headers: {
      'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
      ...(header !== undefined && { [header]: { $ref: `#/components/headers/${header}` } }),
    },
    content: {
      [PROBLEM]: {
        schema: {
          allOf: [
            schemas.answer(Problem),
            {
              type: 'object',
              properties: { status: { type: 'integer', const: status }, code: { type: 'string', enum: codes } },
            },
          ],
        },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}

/** A problem document for each failure. */
export function failureExamples(kinds: readonly ErrorKind[]): OpenApi['components']['examples'] {
  return Object.fromEntries(kinds.map((kind) => [kind.code, { summary: kind.code, value: exampleOfFailure(kind) }]));
}

function exampleOfFailure(kind: ErrorKind): Problem {
  const faults = [
    { field: 'Email', message: 'must be one e-mail address' },
    { field: 'Amount', message: 'is required' },
  ];
  const id = '9f4a1c1e-5f0b-4b6e-8a53-0c5d2f1e7a90';
  return problem(kind, kind.example, id, kind === INVALID_REQUEST ? { faults } : {});
}
