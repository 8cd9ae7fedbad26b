import type { OpenApi, OperationObject } from '../../src/api-document/openapi.js';

/** An operation of the API's document. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly operation: OperationObject;
}

/** All operations, in the order of the document. */
export function callsOf({ paths }: OpenApi): Call[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

/** The error codes that an operation names. */
export function codesOf({ responses }: OperationObject): string[] {
  return Object.values(responses).flatMap(({ content }) =>
    Object.keys(content['application/problem+json']?.examples ?? {}),
  );
}

/** The error codes of every call under /Api. */
export function commonCodes(document: OpenApi): string[] {
  const calls = callsOf(document).filter(({ path }) => path.startsWith('/Api/'));
  const [first = [], ...others] = calls.map(({ operation }) => codesOf(operation));
  return first.filter((name) => others.every((codes) => codes.includes(name)));
}
