import { accessOf } from '../auth/index.js';
import { documentedParameters, type ErrorCode, MEANING_OF, Problem, problem, STATUS_OF } from '../http/index.js';
import type { OpenApi, ResponseObject } from './openapi.js';
import type { DocumentedRoute } from './routes.js';
import type { Schemas } from './schemas.js';

const CODES = Object.keys(STATUS_OF) as ErrorCode[];
const PROBLEM = 'application/problem+json';

/** Of every call with credentials: they are looked up in the database, and unknown query parameters are refused. */
const OF_ACCESS = [
  'invalid_request',
  'unauthenticated',
  'forbidden',
  'too_many_requests',
  'service_busy',
  'database_unavailable',
] as const;
const OF_BODIES = ['malformed_json', 'payload_too_large', 'unsupported_media_type'] as const;

/** Headers of the statuses that demand one. */
const HEADERS: Readonly<Record<number, string>> = { 401: 'WWW-Authenticate', 429: 'Retry-After', 503: 'Retry-After' };

/** All codes with which an operation can be refused, in the order of the table: what its parts bring along, and its own. */
export function failuresOf({ controller, handler, operation, pipes, body }: DocumentedRoute): ErrorCode[] {
  const { parameters, failures } = documentedParameters(handler);
  const readsSomething = pipes.length > 0 || parameters.length > 0 || body !== undefined;
  const codes = new Set<ErrorCode>([
    ...(accessOf(handler, controller) === 'public' ? [] : OF_ACCESS),
    ...(readsSomething ? (['invalid_request'] as const) : []),
    ...(body === undefined ? [] : OF_BODIES),
    ...failures,
    ...(operation.failures ?? []),
    'internal_error',
  ]);
  return CODES.filter((code) => codes.has(code));
}

/** The answers of these failures, by status. */
export function failureResponses(codes: readonly ErrorCode[], schemas: Schemas): Record<string, ResponseObject> {
  const statuses = [...new Set(codes.map((code) => STATUS_OF[code]))];
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      failureResponse(
        codes.filter((code) => STATUS_OF[code] === status),
        status,
        schemas,
      ),
    ]),
  );
}

function failureResponse(codes: readonly ErrorCode[], status: number, schemas: Schemas): ResponseObject {
  const header = HEADERS[status];
  return {
    description: codes.map((code) => `\`${code}\`: ${MEANING_OF[code].when}`).join('\n\n'),
    headers: {
      'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
      ...(header !== undefined && { [header]: { $ref: `#/components/headers/${header}` } }),
    },
    content: {
      [PROBLEM]: {
        schema: {
          allOf: [
            schemas.answer(Problem),
            { type: 'object', properties: { status: { const: status }, code: { enum: codes } } },
          ],
        },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}

/** A problem document for each code. */
export function failureExamples(codes: readonly ErrorCode[]): OpenApi['components']['examples'] {
  return Object.fromEntries(codes.map((code) => [code, { summary: code, value: exampleOfFailure(code) }]));
}

function exampleOfFailure(code: ErrorCode): Problem {
  const faults = [
    { field: 'Email', message: 'must be one e-mail address' },
    { field: 'Amount', message: 'is required' },
  ];
  const id = '9f4a1c1e-5f0b-4b6e-8a53-0c5d2f1e7a90';
  return problem(code, MEANING_OF[code].detail, id, code === 'invalid_request' ? faults : []);
}
